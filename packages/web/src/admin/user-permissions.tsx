import { useState } from "preact/hooks";
import type { Client } from "@swath/client";
import { grants } from "@swath/kernel/permissions/permission";
import { Failure } from "../ui/failure.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { useConsole } from "../use-console.ts";
import { adminText as text } from "./admin-text.ts";
import { permissionSources, type HeldPermission } from "./permission-sources.ts";

/** A group may grant thousands. */
const MOST_SHOWN = 100;

async function readHeld(calls: Client, userId: string, signal: AbortSignal): Promise<readonly HeldPermission[]> {
  const user = await calls.call("/user/info", { userId, allowBlocked: true }, { signal });
  const granting = [];
  for (const groupId of user.groups) granting.push(await calls.call("/group/info", { groupId }, { signal }));
  return permissionSources(user.extraPermissions, granting);
}

/** Why a user is allowed something or not: its permissions, and the sources of each. */
export function UserPermissions({ userId, name }: { readonly userId: string; readonly name: string }) {
  const { calls } = useConsole();
  const [asked, ask] = useState("");
  const held = useLoaded((signal) => readHeld(calls, userId, signal), [userId]);
  if (held.error !== null) return <Failure error={held.error} onRetry={held.reload} />;
  if (held.value === null) return <div class="skeleton" role="status" aria-label={text.loading} />;
  const shown = held.value.filter(({ permission }) => permission.includes(asked));
  const title = text.permissionsOf(name);
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <label class="field">
        <span>{text.isAllowed}</span>
        <input type="search" autocomplete="off" onInput={({ currentTarget }) => ask(currentTarget.value.trim())} />
      </label>
      <p role="status">{asked === "" ? text.askPermission : verdictOf(held.value, asked)}</p>
      {shown.length > 0 && (
        <table class="table">
          <thead>
            <tr>
              <th>{text.permission}</th>
              <th>{text.grantedBy}</th>
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, MOST_SHOWN).map((one) => (
              <tr key={one.permission}>
                <td>{one.permission}</td>
                <td>{sourcesOf(one)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {shown.length > MOST_SHOWN && <p class="hint">{text.morePermissions(shown.length - MOST_SHOWN)}</p>}
    </section>
  );
}

function sourcesOf({ groups }: HeldPermission): string {
  return groups.map((group) => (group === null ? text.userItself : text.ofGroup(group))).join(", ");
}

function verdictOf(held: readonly HeldPermission[], asked: string): string {
  const first = held.find(({ permission }) => grants(permission, asked));
  if (first === undefined) return text.denied(asked);
  return text.allowed(asked, first.permission, sourcesOf(first));
}
