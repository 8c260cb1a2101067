import type { RequestContext } from "../../platform/context.ts";
import type { AuditEntry, JsonValue } from "../audit/service.ts";

/** Who asks for a change, and in which request; `"system"` for the service itself. */
export type Requester = Pick<RequestContext, "caller" | "requestId"> | "system";

/** The members of an audit entry that say who asked. */
export function askedBy(by: Requester): Pick<AuditEntry, "actor" | "requestId"> {
  return by === "system" ? { actor: "system" } : { actor: by.caller, requestId: by.requestId };
}

export type Members = Readonly<Record<string, JsonValue>>;

/** The members whose values differ, before and after; null when none does. */
export function changes(before: Members, after: Members): { readonly before: Members; readonly after: Members } | null {
  const changed = Object.keys(after).filter(
    (name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null),
  );
  if (changed.length === 0) return null;
  const pick = (members: Members): Members =>
    Object.fromEntries(changed.map((name) => [name, members[name] ?? null] as const));
  return { before: pick(before), after: pick(after) };
}
