import { useState } from "preact/hooks";
import type { Client } from "@swath/client";
import { nameInText } from "../format/name-in-text.ts";
import { useConsole } from "../use-console.ts";
import { ActionForm } from "./action-form.tsx";
import { adminText as text } from "./admin-text.ts";
import { TextField } from "./fields.tsx";
import { ListTable } from "./list-table.tsx";
import { permissionsOf } from "./permissions-of.ts";
import { SecondFactor } from "./second-factor.tsx";
import { useList } from "./use-list.ts";

const USUAL_DAYS = "90";

async function listKeys(calls: Client) {
  return await calls.call("/user/api-key/list", {});
}

/** API keys, password and second factor of the signed-in user. */
export function KeysPanel() {
  const { calls, attempt, session } = useConsole();
  const list = useList(() => listKeys(calls), "");
  const [secret, setSecret] = useState<string | null>(null);
  const revoke = async (id: string): Promise<void> => {
    await calls.call("/user/api-key/revoke", { id });
    list.reload();
  };
  return (
    <>
      <ListTable
        label={text.keys}
        list={list}
        heads={[text.name, text.permissions, text.expires, text.lastUsed, text.actions]}
        empty={text.noKeys}
        row={({ id, name, prefix, permissions, expiresAt, lastUsed }) => (
          <tr key={id}>
            <td>{`${nameInText(name)} (${prefix}…)`}</td>
            <td>{permissions.join(" ")}</td>
            <td>{expiresAt.slice(0, 10)}</td>
            <td>{lastUsed?.slice(0, 16).replace("T", " ") ?? text.never}</td>
            <td>
              <button
                type="button"
                class="button small"
                aria-label={text.of(text.revoke, name)}
                onClick={() => attempt(() => revoke(id))}
              >
                {text.revoke}
              </button>
            </td>
          </tr>
        )}
      />
      {secret !== null && (
        <div class="note" role="status">
          <div class="spring">
            <strong>{text.secretOnce}</strong>
            <p>
              <code data-testid="secret">{secret}</code>
            </p>
          </div>
          <button type="button" class="button small" onClick={() => setSecret(null)}>
            {text.close}
          </button>
        </div>
      )}
      <ActionForm
        title={text.createKey}
        run={async ({ name = "", permissions = "", days = USUAL_DAYS }) => {
          const request = { name, permissions: permissionsOf(permissions), expiresInDays: Number(days) };
          const { key } = await calls.call("/user/api-key/create", request);
          setSecret(key);
          list.reload();
        }}
      >
        <TextField name="name" label={text.name} isRequired />
        <TextField name="permissions" label={text.permissions} isRequired />
        <TextField name="days" type="number" label={text.days} value={USUAL_DAYS} />
      </ActionForm>
      <ActionForm
        title={text.changePassword}
        run={async ({ currentPassword = "", newPassword = "" }) => {
          await calls.call("/user/change-password", { currentPassword, newPassword });
          // The change has ended this session too.
          await session.signOut();
        }}
      >
        <TextField name="currentPassword" type="password" label={text.currentPassword} isRequired />
        <TextField name="newPassword" type="password" label={text.newPassword} isRequired />
      </ActionForm>
      <SecondFactor />
    </>
  );
}
