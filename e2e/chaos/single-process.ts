import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openFsBlobStore } from "../../packages/base/src/blobs/fs-blob-store.ts";
import { systemClock } from "../../packages/base/src/clock.ts";
import { runningDatabaseUrl } from "../../packages/service/src/platform/postgres/embedded/running-database.ts";
import { ServiceProcess } from "../service-process.ts";
import type { Arrangement, Victim } from "./arrangement.ts";
import { connectionVictim } from "./connection-victim.ts";
import { serviceVictim, togetherVictim } from "./service-victim.ts";
import { waitForDatabase } from "./wait-for-database.ts";

/** One process with its embedded database and a folder of blobs. */
export async function singleProcess(): Promise<Arrangement> {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await ServiceProcess.start());
  const databaseUrl = (): Promise<string> => runningDatabaseUrl(service.folder);
  const blobs = stack.use(await openFsBlobStore(join(service.folder, "blobs"), systemClock));
  const serviceAlone = serviceVictim("service", service);
  const database = embeddedDatabase(service.folder, databaseUrl);
  const owned = stack.move();
  return {
    name: "single process",
    baseUrl: service.baseUrl,
    victims: [
      serviceAlone,
      database,
      connectionVictim(databaseUrl),
      // The service starts the server again: its own restart is the server's.
      { ...togetherVictim([serviceAlone, database]), restart: () => serviceAlone.restart() },
    ],
    commandSettings: { SWATH_DATA: service.folder },
    blobs,
    databaseUrl,
    endedByThemselves: () => (service.hasEndedByItself ? ["service"] : []),
    output: () => service.output,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The server that the service runs for itself, and starts again by itself. */
function embeddedDatabase(folder: string, databaseUrl: () => Promise<string>): Victim {
  return {
    name: "database",
    async kill() {
      const [pid] = (await readFile(join(folder, "postgres", "postmaster.pid"), "utf8")).split("\n");
      process.kill(Number(pid), "SIGKILL");
    },
    restart: () => waitForDatabase(databaseUrl),
  };
}
