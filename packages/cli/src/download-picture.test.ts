import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { ApiError, createClient, type Client } from "@swath/client";
import sharp from "sharp";
import { downloadPicture } from "./download-picture.ts";
import { CommandError } from "./exit-code.ts";
import { createOutput } from "./output.ts";

const output = createOutput(true, { write: () => true }, { write: () => true });
const REQUEST = {
  mapId: "map",
  tiles: [[3, 4, 2]],
  zoom: 4,
  bounds: null,
  fileName: "x.png",
  percentileStretch: false,
  tileFolder: null,
} as const;

async function serve(t: TestContext, answer: RequestListener): Promise<Client> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return createClient({ baseUrl: `http://127.0.0.1:${address.port}` });
}

async function tile(level: number): Promise<Buffer> {
  return await sharp({
    create: { width: 512, height: 512, channels: 4, background: { r: level, g: 0, b: 0, alpha: 1 } },
  })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

test("tiles are joined at their places; empty and missing ones stay transparent and are cut off", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "swath-tiles-"));
  t.after(() => rm(folder, { recursive: true }));
  const pictures: Readonly<Record<string, Buffer>> = { "4/8/4": await tile(10), "4/8/5": await tile(20) };
  let busy = 0;
  let busiest = 0;
  const client = await serve(t, (request, response) => {
    busy += 1;
    busiest = Math.max(busiest, busy);
    response.on("close", () => (busy -= 1));
    const path = /^\/mapsvc\/grid\/map\/-\/(.+)\/x\.png$/.exec(request.url ?? "")?.[1] ?? "";
    const body = pictures[path];
    if (body !== undefined) response.writeHead(200, { "content-type": "image/png" }).end(body);
    else if (path === "4/9/4") response.writeHead(204).end();
    else {
      response.writeHead(404, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: "TILE-NOT-FOUND", errorMessage: "no data" }));
    }
  });
  const made = await downloadPicture(client, { ...REQUEST, tileFolder: folder }, output, new AbortController().signal);
  assert.equal(made.tiles, 2);
  const { data, info } = await sharp(made.png).raw().toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height, info.channels], [512, 1024, 4]);
  assert.deepEqual([...data.subarray(0, 4)], [10, 0, 0, 255]);
  assert.deepEqual([...data.subarray(data.length - 4)], [20, 0, 0, 255]);
  assert.deepEqual((await readdir(join(folder, "4", "8"))).toSorted(), ["4-x.png", "5-x.png"]);
  assert.ok(busiest <= 6, `${busiest} downloads at once`);
});

test("a map without a valid pixel and a refused tile are failures", async (t) => {
  const empty = await serve(t, (_request, response) => void response.writeHead(204).end());
  await assert.rejects(downloadPicture(empty, REQUEST, output, new AbortController().signal), CommandError);
  const refusing = await serve(t, (_request, response) => {
    response.writeHead(401, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: "TILE-NOT-INCLUDED", errorMessage: "not listed" }));
  });
  await assert.rejects(
    downloadPicture(refusing, REQUEST, output, new AbortController().signal),
    (error) => error instanceof ApiError && error.code === "TILE-NOT-INCLUDED",
  );
});
