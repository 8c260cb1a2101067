import assert from "node:assert/strict";
import { coastGeotiff } from "../make-geotiff.ts";
import { compareWithReference, outcomeOf } from "./journal.ts";
import type { StubbornClient } from "./stubborn-client.ts";
import type { Turn, Work } from "./work.ts";

const PARTS = 4;
/** The largest takes more than one part of a multipart upload to S3. */
const SIDES_PX = [96, 256, 640, 1_100] as const;

/** Uploads in parts, and their ingestion. */
export const ingestWorks: readonly Work[] = [
  { name: "ingest", run: ingestNew },
  { name: "unreadable", run: ingestUnreadable },
];

/** A file with pixels that no other file has becomes a scene once, however often the request is repeated. */
async function ingestNew({ client, key, random }: Turn): Promise<void> {
  const sidePx = SIDES_PX[Math.floor(random() * SIDES_PX.length)] ?? 96;
  const offset = Math.floor(random() * 2 ** 31);
  // Far from the scenes that searches find.
  const bytes = coastGeotiff({
    widthPx: sidePx,
    heightPx: sidePx,
    originY: 900_000,
    value: (band, column, row) => 1 + ((offset + band * 7919 + column * 31 + row * 17) % 60_000),
  });
  const filepath = await client.during("upload", () => uploadInParts(client, key, bytes));
  await client.during("ingest", async () => {
    const request = { provider: "local", filepath };
    const accepted = await client.initiate("ingest", "/imagery/ingest-scene", request);
    const { body, status } = await client.outcome(accepted);
    const [scene, ...others] = body.ingestedScenes ?? [];
    // An earlier request may have been accepted although its answer was lost.
    const isExpected = status === 200 && others.length === 0 && (scene.duplicate === false || accepted.requests > 1);
    assert.ok(isExpected, `ingest answered ${status} ${JSON.stringify(body)} after ${accepted.requests} requests`);
    const info = await client.post("/imagery/scene-info", { sceneId: scene.sceneId });
    assert.equal(info.status, 200, JSON.stringify(info.body));
  });
}

/** A file that nobody can read is refused with the same code each time. */
async function ingestUnreadable({ client, key }: Turn): Promise<void> {
  const filepath = await client.during("upload", () =>
    uploadInParts(client, key, new TextEncoder().encode(`no TIFF ${key}`)),
  );
  await client.during("ingest", async () => {
    const accepted = await client.initiate("unreadable", "/imagery/ingest-scene", { provider: "local", filepath });
    const answer = await client.outcome(accepted);
    // A repeated request finds the bytes used up.
    if (accepted.requests > 1 && answer.body.error === "NON-EXISTENT-UPLOAD") return;
    compareWithReference(client.journal, "unreadable", outcomeOf(answer, ["errorMessage"]));
  });
}

/** Sends the file in parts, and goes on behind the last byte that has arrived. */
async function uploadInParts(client: StubbornClient, filename: string, bytes: Uint8Array): Promise<string> {
  const announced = await client.post("/imagery/ingest-scene/upload", {
    uploadSuffix: ".geotiff",
    size: bytes.length,
    filename: filename.replaceAll(" ", "-"),
  });
  assert.equal(announced.status, 200, JSON.stringify(announced.body));
  const { filepath, url } = announced.body;
  const partBytes = Math.ceil(bytes.length / PARTS);
  for (let sent = 0; ;) {
    const end = Math.min(bytes.length, sent + partBytes);
    const answer = await client.send(url, {
      method: "PUT",
      body: bytes.slice(sent, end),
      headers: {
        "Content-Type": "application/octet-stream",
        "Content-Range": `bytes ${sent}-${end - 1}/${bytes.length}`,
      },
    });
    if (answer.status === 200) return filepath;
    const isExpected = answer.status === 308 || answer.status === 409;
    assert.ok(isExpected, `PUT answered ${answer.status}: ${new TextDecoder().decode(answer.bytes)}`);
    sent = Number(/-(\d+)$/.exec(answer.headers.get("range") ?? "")?.[1] ?? -1) + 1;
  }
}
