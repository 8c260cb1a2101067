import type { Client } from "@swath/client";

export type User = Awaited<ReturnType<typeof listUsers>>["results"][number];

/** A page of users by e-mail. */
export async function listUsers(calls: Client, search: string, cursor: string | null) {
  return await calls.call("/user/list", {
    ...(search === "" ? {} : { search }),
    ...(cursor === null ? {} : { cursor }),
  });
}
