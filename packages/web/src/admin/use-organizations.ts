import type { Client } from "@swath/client";
import { useConsole } from "../use-console.ts";
import { useList, type ListUse } from "./use-list.ts";

export type Organizations = ListUse<Awaited<ReturnType<typeof listOrganizations>>["results"][number]>;

const PAGE = 500;

async function listOrganizations(calls: Client, mayList: boolean, cursor: string | null) {
  if (!mayList) return { results: [], cursor: null };
  return await calls.call("/organization/list", { limit: PAGE, ...(cursor === null ? {} : { cursor }) });
}

/** Organisations by name; none for people who may not list them. */
export function useOrganizations(): Organizations {
  const { calls, rights } = useConsole();
  const mayList = rights.value.holds("admin.organizations.list");
  return useList((cursor) => listOrganizations(calls, mayList, cursor), String(mayList));
}
