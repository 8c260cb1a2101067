import { useState } from "preact/hooks";
import { useConsole } from "../use-console.ts";
import { ActionForm } from "./action-form.tsx";
import { adminText as text } from "./admin-text.ts";
import { TextField } from "./fields.tsx";
import { KeyTable, useKeys } from "./key-table.tsx";
import { permissionsOf } from "./permissions-of.ts";
import { SecondFactor } from "./second-factor.tsx";
import { SessionTable } from "./session-table.tsx";

const USUAL_DAYS = "90";

/** API keys, password, second factor and sessions of the signed-in user. */
export function KeysPanel() {
  const { calls, session } = useConsole();
  const list = useKeys(null);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      <KeyTable userId={null} label={text.keys} empty={text.noKeys} list={list} />
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
      <SessionTable userId={null} label={text.sessions} title={text.sessions} name={text.endAllOwn} />
    </>
  );
}
