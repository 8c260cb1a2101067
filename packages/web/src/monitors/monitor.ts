import type { Client } from "@swath/client";

export type Monitor = Awaited<ReturnType<typeof listMonitors>>["results"][number];
export type DetailedMonitor = Awaited<ReturnType<typeof readMonitor>>;
export type MonitoredScene = DetailedMonitor["scenes"][number];

export async function listMonitors(calls: Client, cursor: string | null, signal: AbortSignal) {
  return await calls.call("/monitor/list", cursor === null ? {} : { cursor }, { signal });
}

export async function readMonitor(calls: Client, monitorId: string, signal?: AbortSignal) {
  return await calls.call("/monitor/get", { monitorId }, signal === undefined ? {} : { signal });
}
