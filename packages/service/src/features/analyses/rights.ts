import { isAdministrator } from "@swath/kernel/permissions/administrator";
import type { Caller } from "../../platform/context.ts";

/** Whose analyses are asked for. */
export interface Reader {
  /** Empty for callers without a user: they read public analyses only. */
  readonly userId: string;
  /** Administrators have the rights of every owner. */
  readonly isAdministrator: boolean;
}

/** - `owner`: all. - `editor`: reads and writes. - `viewer`: reads. - `public`: reads without people. */
export type Rights = "owner" | "editor" | "viewer" | "public";

export function readerOf({ userId, permissions }: Pick<Caller, "permissions" | "userId">): Reader {
  return { userId, isAdministrator: isAdministrator(permissions) };
}
