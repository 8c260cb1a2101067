import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFsBlobStore } from "../../packages/base/src/blobs/fs-blob-store.ts";
import type { BlobStore } from "../../packages/base/src/blobs/blob-store.ts";
import { openS3BlobStore } from "../../packages/base/src/blobs/s3-blob-store.ts";
import { systemClock } from "../../packages/base/src/clock.ts";
import { ServiceProcess } from "../service-process.ts";
import type { Arrangement, Victim } from "./arrangement.ts";
import { connectionVictim } from "./connection-victim.ts";
import { PostgresServer } from "./postgres-server.ts";
import { GATEWAY_COMMAND, S3Gateway } from "./s3-gateway.ts";
import { serviceVictim, togetherVictim } from "./service-victim.ts";

const WORKERS = 2;

/** One api and two workers on a PostgreSQL server and an S3 server; without the latter on a shared folder of blobs. */
export async function severalProcesses(say: (line: string) => void): Promise<Arrangement> {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await PostgresServer.start());
  const { blobs, settings } = await openBlobs(stack, say);
  say(`${server.version}, ${settings["SWATH_BLOBS"] === "s3" ? "versitygw" : "a shared folder of blobs"}`);
  const shared = { ...settings, DATABASE_URL: server.url };
  const api = stack.use(await ServiceProcess.start({ ...shared, SWATH_ROLES: "api" }));
  const workers: ServiceProcess[] = [];
  for (let number = 1; number <= WORKERS; number += 1) {
    workers.push(stack.use(await ServiceProcess.start({ ...shared, SWATH_ROLES: "worker" })));
  }
  const members = [serviceVictim("api", api), ...workers.map((worker, i) => serviceVictim(`worker ${i + 1}`, worker))];
  const database: Victim = { name: "database", kill: () => server.kill(), restart: () => server.start() };
  const databaseUrl = async (): Promise<string> => server.url;
  const owned = stack.move();
  return {
    name: "api and two workers",
    baseUrl: api.baseUrl,
    victims: [
      ...members,
      database,
      connectionVictim(databaseUrl),
      togetherVictim(members.slice(1)),
      togetherVictim([...members, database]),
    ],
    commandSettings: { SWATH_DATA: api.folder, DATABASE_URL: server.url },
    blobs,
    databaseUrl,
    endedByThemselves: () =>
      [api, ...workers].flatMap((one, index) => (one.hasEndedByItself ? [members[index]?.name ?? ""] : [])),
    output: () => [api, ...workers].map((one, index) => `--- ${members[index]?.name}\n${one.output}`).join("\n"),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface Blobs {
  readonly blobs: BlobStore;
  readonly settings: Readonly<Record<string, string>>;
}

async function openBlobs(stack: AsyncDisposableStack, say: (line: string) => void): Promise<Blobs> {
  const gateway = await S3Gateway.start();
  if (gateway !== null) {
    stack.use(gateway);
    return { blobs: stack.use(openS3BlobStore(gateway.store)), settings: gateway.settings };
  }
  say(`versitygw is not installed, so that the blobs are in a shared folder; get it with: ${GATEWAY_COMMAND}`);
  const folder = await mkdtemp(join(tmpdir(), "swath-chaos-blobs-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const blobs = stack.use(await openFsBlobStore(folder, systemClock));
  return { blobs, settings: { SWATH_BLOBS: "fs", SWATH_BLOB_FOLDER: folder } };
}
