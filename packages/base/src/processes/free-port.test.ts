import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { freePort } from "./free-port.ts";

test("a free port can be listened on, and is none that systems give to outgoing connections", async () => {
  for (let round = 0; round < 50; round += 1) {
    const port = await freePort();
    assert.ok(port >= 20_000 && port < 32_768, `port ${port}`);
    const server = createServer().listen(port, "127.0.0.1");
    await once(server, "listening");
    server.close();
    await once(server, "close");
  }
});
