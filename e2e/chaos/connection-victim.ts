import { Client } from "pg";
import type { Victim } from "./arrangement.ts";
import { waitForDatabase } from "./wait-for-database.ts";

/** The server process of one connection of the service: PostgreSQL then ends all of them and recovers. */
export function connectionVictim(databaseUrl: () => Promise<string>): Victim {
  return {
    name: "database connection",
    async kill() {
      const client = new Client({ connectionString: await databaseUrl() });
      client.on("error", () => {});
      try {
        await client.connect();
        const { rows } = await client.query<{ pid: number }>(
          "select pid from pg_stat_activity where application_name = 'swath' order by state_change desc limit 1",
        );
        const pid = rows[0]?.pid;
        if (pid !== undefined) process.kill(pid, "SIGKILL");
      } finally {
        await client.end().catch(() => {});
      }
    },
    restart: () => waitForDatabase(databaseUrl),
  };
}
