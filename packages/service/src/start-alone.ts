import { fork } from "node:child_process";
import { join } from "node:path";
import type { Settings } from "./platform/config/config.ts";
import type { Run } from "./platform/queue/run-store.ts";
import type { AloneStart } from "./worker/run-alone.ts";

/** First message to the process: not its arguments, which every user of the machine can read. */
export interface AloneMessage {
  readonly run: Run;
  readonly settings: Settings;
}

const ENTRY = join(import.meta.dirname, "alone.process.ts");
/** One pipeline runs at a time. */
const CONNECTIONS = "4";

/** Starts processes for one pipeline each, with the settings of this one and on the same database server. */
export function aloneStart(settings: Settings, databaseUrl: string): AloneStart {
  return (run) => {
    const message: AloneMessage = {
      run,
      settings: {
        ...settings,
        DATABASE_URL: databaseUrl,
        SWATH_DATABASE_CONNECTIONS: CONNECTIONS,
        SWATH_ROLES: "worker",
      },
    };
    const child = fork(ENTRY);
    child.send(message);
    return child;
  };
}
