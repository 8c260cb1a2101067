import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";

const WITHIN_MS = 120_000;
const POLL_MS = 50;

/** Resolves when the database server answers. @throws when it does not within two minutes */
export async function waitForDatabase(databaseUrl: () => Promise<string>): Promise<void> {
  const deadlineMs = performance.now() + WITHIN_MS;
  for (;;) {
    try {
      const client = new Client({ connectionString: await databaseUrl(), connectionTimeoutMillis: 5_000 });
      client.on("error", () => {});
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (performance.now() > deadlineMs) throw new Error("the database server does not come back", { cause: error });
      await sleep(POLL_MS);
    }
  }
}
