import { MAX_WAIT_S } from "@swath/contract/features/stapi/requests";

/** Wait for a search whose client prefers nothing. */
const USUAL_WAIT_S = 20;

/** How a client wants its search answered. */
export interface Preference {
  readonly isAsync: boolean;
  /** Wait before the record of the search is the answer. */
  readonly waitS: number;
}

/** Reads the header `Prefer`; other preferences are left aside, as RFC 7240 says. */
export function readPreference(prefer: string | undefined): Preference {
  const given = new Map(
    (prefer ?? "").split(",").map((part) => {
      const [name = "", value = ""] = (part.split(";")[0] ?? "").split("=", 2);
      return [name.trim().toLowerCase(), value.trim().replaceAll('"', "")] as const;
    }),
  );
  const isAsync = given.has("respond-async");
  const seconds = given.get("wait") ?? "";
  if (!/^\d{1,6}$/u.test(seconds))
    return { isAsync, waitS: isAsync ? 0 : given.has("wait") ? MAX_WAIT_S : USUAL_WAIT_S };
  return { isAsync, waitS: Math.min(Number(seconds), MAX_WAIT_S) };
}
