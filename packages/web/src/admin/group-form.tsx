import { useEffect, useState } from "preact/hooks";
import type { Client } from "@swath/client";
import { useConsole } from "../use-console.ts";
import { ActionForm } from "./action-form.tsx";
import { adminText as text } from "./admin-text.ts";
import { TextField } from "./fields.tsx";
import { permissionsOf } from "./permissions-of.ts";

type GroupInfo = Awaited<ReturnType<typeof readGroup>>;

async function readGroup(calls: Client, groupId: string) {
  return await calls.call("/group/info", { groupId });
}

/** Name, permissions, tier and licence of a group. */
export function GroupForm({ groupId, onDone }: { readonly groupId: string; readonly onDone: () => void }) {
  const { calls, attempt } = useConsole();
  const [group, setGroup] = useState<GroupInfo | null>(null);
  useEffect(() => attempt(async () => setGroup(await readGroup(calls, groupId))), []);
  if (group === null) return <div class="skeleton" role="status" aria-label={text.loading} />;
  return (
    <ActionForm
      title={text.of(text.change, group.name)}
      submit={text.save}
      run={async ({ name = "", permissions = "", creditsTier = group.creditsTier, licenseEnd }) => {
        const end = licenseEnd === undefined ? null : `${licenseEnd}T23:59:59Z`;
        const set = { name, permissions: permissionsOf(permissions), creditsTier, licenseEnd: end };
        await calls.call("/group/manage", { groupId, set });
        onDone();
      }}
    >
      <TextField name="name" label={text.name} value={group.name} isRequired />
      <TextField name="permissions" label={text.permissions} value={group.permissions.join(" ")} />
      <TextField name="creditsTier" label={text.tier} value={group.creditsTier} />
      <TextField name="licenseEnd" type="date" label={text.licenseEnd} value={group.licenseEnd?.slice(0, 10) ?? ""} />
    </ActionForm>
  );
}
