import type { Client } from "@swath/client";

/** Every dataset of the service. */
export async function listDatasets(client: Client, signal: AbortSignal) {
  return await client.call("/imagery/datasets/list", {}, { signal });
}

export type DatasetListing = Awaited<ReturnType<typeof listDatasets>>[number];
