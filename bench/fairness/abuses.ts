import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { connect, type Socket } from "node:net";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { COAST_AREA, upload } from "../../e2e/main-job.ts";
import { coastGeotiff } from "../../e2e/make-geotiff.ts";
import type { RawClient } from "../../e2e/raw-client.ts";
import { zipOfSharedEntry } from "../../packages/raster/src/archive/zip-bombs-testing.ts";

/** The abuser's account, a scene to work on, a map of a large scene, and the end of the abuse. */
interface AbuseContext {
  readonly client: RawClient;
  readonly sceneId: string;
  readonly largeMapId: string;
  readonly signal: AbortSignal;
}

type Abuse = (context: AbuseContext) => Promise<void>;

/** Rows without any request, the second with busy processors. */
export const CONTROLS = ["nobody", "busy processors"] as const;

/** Legal or broken requests that once held the service, each repeated until the signal aborts. */
export const ABUSES = {
  nobody: ({ signal }) => aborted(signal),
  "busy processors": busyProcessors,
  "star polygon": starPolygon,
  "50 releases": fiftyReleases,
  "$near of 499 positions": nearManyPositions,
  "half-sent requests": halfSentRequests,
  "slow readers": slowReaders,
  "long polls": longPolls,
  "whole maps": wholeMaps,
  "broken TIFF": brokenTiff,
  "overlapping zip": overlappingZip,
} as const satisfies Readonly<Record<string, Abuse>>;

export type AbuseName = keyof typeof ABUSES;

/** Abuses of a run that names them: their ratio is above the aim. */
export const BY_NAME_ONLY: readonly AbuseName[] = ["whole maps"];

/** Pause before a closed connection is opened again, ms. */
const REOPEN_MS = 500;

/** Runs copies of one request after the other until the signal aborts; refusals do not matter. */
async function repeat({ signal }: AbuseContext, copies: number, request: () => Promise<unknown>): Promise<void> {
  const loop = async (): Promise<void> => {
    while (!signal.aborted) await request().catch(() => undefined);
  };
  await Promise.race([Promise.all(Array.from({ length: copies }, loop)), aborted(signal)]);
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}

/** A thread for each processor that counts. */
async function busyProcessors({ signal }: AbuseContext): Promise<void> {
  const count = new URL("data:text/javascript,for (let i = 0; ; i = (i + 1) | 0);");
  const threads = Array.from({ length: availableParallelism() }, () => new Worker(count));
  await aborted(signal);
  await Promise.all(threads.map((thread) => thread.terminate()));
}

/** A star of 9,000 vertices around the scene: every edge is nearly radial and meets most others on both axes. */
async function starPolygon(context: AbuseContext): Promise<void> {
  const { client, sceneId } = context;
  const ring = Array.from({ length: 9_000 }, (_, i) => {
    const radiusDeg = i % 2 === 0 ? 0.01 : 0.003;
    const angle = (2 * Math.PI * i) / 9_000;
    return [15.0115 + radiusDeg * Math.cos(angle), 0.893 + radiusDeg * Math.sin(angle)];
  });
  const star = { type: "Polygon", coordinates: [[...ring, ring[0]]] };
  let turn = 0;
  await repeat(context, 2, async () => {
    turn += 1;
    if (turn % 2 === 0) return client.post("/credits/area/check-geojson", { sceneIds: [sceneId], geojson: star });
    return client.post("/imagery/search/initiate", {
      datasets: [{ provider: "local", dataset: "uploads" }],
      extent: star,
    });
  });
}

/** Fifty releases at once, each of another area, so that no result is shared. */
async function fiftyReleases(context: AbuseContext): Promise<void> {
  const { client, sceneId } = context;
  let number = 0;
  const release = async (): Promise<void> => {
    number += 1;
    const west = 15.0005 + (number % 50) * 1e-5;
    const extent = boundsPolygon([west, 0.8823, 15.0225, 0.904]);
    await client.run("/mapsvc/release", { mapTypes: ["wrunc", "segments", "clouds"], sceneIds: [sceneId], extent });
  };
  await repeat(context, 50, release);
}

async function nearManyPositions(context: AbuseContext): Promise<void> {
  const coordinates = Array.from({ length: 499 }, (_, i) => [15 + i / 1000, 50 + Math.sin(i) / 10]);
  const geometry = { $near: { $geometry: { type: "LineString", coordinates }, $maxDistance: 500_000 } };
  await repeat(context, 4, async () =>
    context.client.post("/api/properties", { property: "length", query: { geometry } }),
  );
}

/** Connections that announce a body and send one byte of it: a third without a token, a third with a valid one. */
async function halfSentRequests({ client, signal }: AbuseContext): Promise<void> {
  const { hostname } = new URL(client.baseUrl);
  await keepConnections(client, signal, 3_000, (number) => {
    const path = number % 3 === 0 ? "/oauth/ro" : "/imagery/search/initiate";
    const token = number % 3 === 1 ? client.token : "not-a-token";
    return (
      `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\n` +
      `Content-Length: 1000\r\nAuthorization: Bearer ${token}\r\n\r\n{`
    );
  });
}

/** Connections that ask for large answers again and again and read none of them. */
async function slowReaders({ client, signal }: AbuseContext): Promise<void> {
  const { hostname } = new URL(client.baseUrl);
  const request = `GET /openapi.json HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`;
  await keepConnections(client, signal, 500, () => request.repeat(8));
}

/** Keeps connections that send one text and read nothing; one that the service closes is opened again. */
async function keepConnections(
  { baseUrl }: RawClient,
  signal: AbortSignal,
  count: number,
  textOf: (number: number) => string,
): Promise<void> {
  const { hostname, port } = new URL(baseUrl);
  const sockets = new Set<Socket>();
  const open = (number: number): void => {
    if (signal.aborted) return;
    const socket = connect(Number(port), hostname).pause();
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => {
      sockets.delete(socket);
      setTimeout(() => open(number), REOPEN_MS).unref();
    });
    socket.write(textOf(number));
  };
  for (let number = 0; number < count; number += 1) open(number);
  await aborted(signal);
  for (const socket of sockets) socket.destroy();
}

/** 300 clients that wait for pipelines of 20 releases. */
async function longPolls(context: AbuseContext): Promise<void> {
  const { client, sceneId } = context;
  const request = { mapTypes: ["segments"], sceneIds: [sceneId], extent: COAST_AREA };
  await repeat(context, 20, async () => {
    const { body } = await client.post("/mapsvc/release/initiate", request);
    const polls = Array.from({ length: 15 }, async () =>
      client.post("/tasking/get-status", { pipelineId: body.pipelineId, waitSeconds: 30 }),
    );
    await Promise.all(polls);
  });
}

/** Fifty files of a whole map at once, each with other limits of its colours, so that none is kept. */
async function wholeMaps(context: AbuseContext): Promise<void> {
  const { client, largeMapId } = context;
  let number = 0;
  await repeat(context, 50, async () => {
    number += 1;
    const query = `stretch=${number / 100},${4_000 + (Date.now() % 4_000)}`;
    const answer = await client.get(`/mapsvc/grid/${largeMapId}/-/truecolor.png?${query}`);
    await answer.arrayBuffer();
  });
}

/** 75 KB whose pixels are 1e300 metres high: an outline that no coordinate reference system holds. */
async function brokenTiff(context: AbuseContext): Promise<void> {
  const bytes = coastGeotiff({ widthPx: 96, heightPx: 96, scaleY: -1e300 });
  await ingestAgainAndAgain(context, bytes, ".geotiff");
}

/** A thousand entries that share the bytes of one: 64 KB that would be unpacked to 12.4 GB. */
async function overlappingZip(context: AbuseContext): Promise<void> {
  await ingestAgainAndAgain(context, zipOfSharedEntry(1000, Buffer.alloc(12_400_000)), ".zip");
}

async function ingestAgainAndAgain(
  context: AbuseContext,
  bytes: Uint8Array,
  suffix: ".geotiff" | ".zip",
): Promise<void> {
  const { client } = context;
  await repeat(context, 3, async () => {
    const filepath = await upload(client, bytes, suffix);
    await client.run("/imagery/ingest-scene", { provider: "local", filepath });
  });
}
