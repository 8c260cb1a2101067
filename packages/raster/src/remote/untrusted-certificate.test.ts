import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:https";
import { test } from "node:test";
import { SELF_SIGNED, TEST_KEY } from "@swath/base/testing/certificates";
import { RasterError } from "../raster-error.ts";
import { createHostRules } from "./host-rules.ts";
import { createHttpTransport } from "./http-transport.ts";
import { createRemoteClient } from "./remote-client.ts";
import { ManualTime } from "./testing.ts";

test("a host with an untrusted certificate is asked once, and the error names host, fault and cure", async () => {
  const server = createServer({ key: TEST_KEY, cert: SELF_SIGNED });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const host = `127.0.0.1:${address.port}`;
  try {
    using transport = createHttpTransport({ rules: createHostRules({ hosts: [`https://${host}`] }) });
    const time = new ManualTime();
    const client = createRemoteClient({ transport, clock: time, timers: time });
    const asked = client.send({ url: new URL(`https://${host}/stac`), maxBytes: 100 }, new AbortController().signal);
    await assert.rejects(asked, (error) => {
      assert.ok(error instanceof RasterError);
      assert.equal(error.reason, "unreachable");
      assert.match(
        error.message,
        new RegExp(`certificate of ${host} .*authority is unknown.*NODE_EXTRA_CA_CERTS`, "u"),
      );
      return true;
    });
    assert.deepEqual(time.waits, [], "no pause before another try");
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
