import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { openCluster, SUPERUSER } from "./cluster.ts";
import { adoptPostmaster } from "./postmaster.ts";

/**
 * Connection string of the embedded database of a data folder that a running service holds.
 *
 * @throws when its server does not run, as while the service starts for the first time
 */
export async function runningDatabaseUrl(dataFolder: string): Promise<string> {
  const folder = resolve(dataFolder);
  // The password is kept before the cluster is made: without it there is nothing to connect to yet.
  if (!existsSync(join(folder, "postgres-password"))) throw new Error(`there is no database in ${folder} yet`);
  const cluster = await openCluster(folder, { durable: true });
  const postmaster = await adoptPostmaster(cluster);
  if (postmaster === null) throw new Error(`the database server of ${folder} does not run`);
  return `postgres://${SUPERUSER}:${encodeURIComponent(cluster.password)}@127.0.0.1:${postmaster.port}/swath`;
}
