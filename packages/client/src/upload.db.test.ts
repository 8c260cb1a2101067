import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { testDatabase } from "../../service/src/platform/postgres/testing.ts";
import { createClient } from "./client.ts";
import type { Client, ClientOptions } from "./client.ts";
import type { UploadPlace } from "./upload.ts";

interface ServiceMain {
  startService(options: {
    readonly settings: Readonly<Record<string, string>>;
  }): Promise<AsyncDisposable & { readonly url: string | null }>;
}

/** By address: the service's types need more than a client's program has. */
const main: ServiceMain = await import(new URL("../../service/src/main.ts", import.meta.url).href);

/** The whole service on a separate database and folder. */
async function service(): Promise<AsyncDisposable & { client(more?: Partial<ClientOptions>): Client }> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "swath-client-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const database = stack.use(await testDatabase());
  const running = stack.use(
    await main.startService({
      settings: {
        DATABASE_URL: database.url,
        SWATH_DATA: folder,
        SWATH_PORT: "0",
        SWATH_DEMO_EMAIL: "demo@example.org",
        SWATH_DEMO_PASSWORD: "demonstration",
        SWATH_VALIDATE_RESPONSES: "true",
        SWATH_LOG_LEVEL: "silent",
      },
    }),
  );
  const owned = stack.move();
  return {
    client: (more) =>
      createClient({
        baseUrl: running.url ?? "",
        credentials: { username: "demo@example.org", password: "demonstration" },
        ...more,
      }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

test("an upload goes on from what has arrived when connections break, and tells why a file is no scene", async () => {
  await using here = await service();
  const seen: string[] = [];
  let puts = 0;
  const client = here.client({
    fetch: async (url, init) => {
      const range = new Headers(init?.headers).get("content-range");
      if (init?.method !== "PUT") return fetch(url, init);
      puts += 1;
      // The second piece arrives and its answer is lost; the fourth does not arrive at all.
      if (puts === 4) throw new TypeError("fetch failed");
      const answer = await fetch(url, init);
      seen.push(`${range} ${answer.status}`);
      if (puts === 2) throw new TypeError("fetch failed");
      return answer;
    },
  });
  const sent: number[] = [];
  const upload = client.upload(new Uint8Array(2500), {
    filename: "noise",
    uploadSuffix: ".geotiff",
    pieceBytes: 1000,
    onProgress: ({ phase, sentBytes }) => {
      if (phase === "uploading") sent.push(sentBytes);
    },
  });
  await assert.rejects(upload, { status: 424, code: "SCENE-UNREADABLE" });
  assert.deepEqual(seen, [
    "bytes 0-999/2500 308",
    "bytes 1000-1999/2500 308",
    "bytes */2500 308",
    "bytes */2500 308",
    "bytes 2000-2499/2500 200",
  ]);
  assert.deepEqual(sent, [1000, 2000, 2000, 2500]);
});

test("a later attempt with the address of an earlier one sends the missing bytes alone", async () => {
  await using here = await service();
  const ranges: (string | null)[] = [];
  const client = here.client({
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      if (init?.method === "PUT") ranges.push(new Headers(init.headers).get("content-range"));
      return answer;
    },
  });
  const file = { filename: "noise", uploadSuffix: ".geotiff", pieceBytes: 1000 } as const;
  const abort = new AbortController();
  let place: UploadPlace | undefined;
  const first = client.sendFile(new Uint8Array(2500), {
    ...file,
    signal: abort.signal,
    onPlace: (announced) => {
      place = announced;
    },
    onProgress: () => abort.abort(),
  });
  await assert.rejects(first, { name: "AbortError" });
  assert.ok(place !== undefined);
  const { filepath } = await client.sendFile(new Uint8Array(2500), { ...file, place });
  assert.equal(filepath, place.filepath);
  assert.deepEqual(ranges, ["bytes 0-999/2500", "bytes */2500", "bytes 1000-1999/2500", "bytes 2000-2499/2500"]);
});

test("a run against the whole service waits by long polling", async () => {
  await using here = await service();
  const client = here.client();
  const found = await client.run("/imagery/search", {
    datasets: [{ provider: "local", dataset: "uploads" }],
    extent: { type: "Polygon", coordinates: [[[0, 0], [0.1, 0], [0.1, 0.1], [0, 0.1], [0, 0]]] }, // prettier-ignore
  });
  const empty = { code: "NO-SCENE", message: "No scene of the datasets meets the area" };
  assert.deepEqual(found, { results: [], cursor: null, empty });
  const info = await client.call("/user/info");
  assert.equal(info.email, "demo@example.org");
});
