import type { Client } from "@swath/client";
import { useConsole } from "../use-console.ts";
import { useList } from "./use-list.ts";

export type Group = Awaited<ReturnType<typeof listGroups>>["results"][number];

const PAGE = 500;

async function listGroups(calls: Client, cursor: string | null) {
  return await calls.call("/group/list", { limit: PAGE, ...(cursor === null ? {} : { cursor }) });
}

/** Groups that the user may see, by name. */
export function useGroups() {
  const { calls } = useConsole();
  return useList((cursor) => listGroups(calls, cursor), "");
}

/** Options of a field. */
export function groupOptions(groups: readonly Group[] | null): readonly (readonly [id: string, name: string])[] {
  return (groups ?? []).map(({ id, name }) => [id, name]);
}
