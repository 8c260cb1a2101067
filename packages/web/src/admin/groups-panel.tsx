import { useState } from "preact/hooks";
import { formatDay } from "../format/dates.ts";
import { nameInText } from "../format/name-in-text.ts";
import { useConsole } from "../use-console.ts";
import { ActionForm } from "./action-form.tsx";
import { adminText as text } from "./admin-text.ts";
import { DeleteButton } from "./delete-button.tsx";
import { SelectField, TextField } from "./fields.tsx";
import { GroupForm } from "./group-form.tsx";
import { ListTable } from "./list-table.tsx";
import { OrganizationsSection } from "./organizations-section.tsx";
import { permissionsOf } from "./permissions-of.ts";
import { groupOptions, useGroups, type Group } from "./use-groups.ts";
import { useOrganizations } from "./use-organizations.ts";

/** Groups and organisations: created and changed; credit is added to groups. */
export function GroupsPanel() {
  const { calls, rights } = useConsole();
  const groups = useGroups();
  const organizations = useOrganizations();
  const [changed, setChanged] = useState<string | null>(null);
  const mayManage = rights.value.holds("admin.groups.manage");
  const reload = (): void => {
    groups.reload();
    organizations.reload();
  };
  const remove = async (groupId: string): Promise<void> => {
    await calls.call("/group/delete", { groupId });
    setChanged(null);
    reload();
  };
  return (
    <>
      <ListTable
        label={text.names.groups}
        list={groups}
        heads={[text.name, text.organization, text.members, text.tier, text.licenseEnd, text.actions]}
        empty={text.noGroups}
        row={({ id, name, organizationId, members, creditsTier, licenseEnd }) => (
          <tr key={id}>
            <td>{name}</td>
            <td>{organizations.rows?.find((one) => one.id === organizationId)?.name ?? ""}</td>
            <td>{members}</td>
            <td>{creditsTier}</td>
            <td>{licenseEnd === null ? text.unlimited : formatDay(licenseEnd)}</td>
            <td>
              {mayManage && (
                <span class="row">
                  <button
                    type="button"
                    class="button small"
                    aria-label={text.of(text.change, name)}
                    onClick={() => setChanged(id)}
                  >
                    {text.change}
                  </button>
                  <DeleteButton
                    name={name}
                    question={text.removeGroup(nameInText(name))}
                    rule={text.removeGroupText}
                    run={() => remove(id)}
                  />
                </span>
              )}
            </td>
          </tr>
        )}
      />
      {changed !== null && mayManage && (
        <GroupForm
          key={changed}
          groupId={changed}
          onDone={() => {
            setChanged(null);
            groups.reload();
          }}
        />
      )}
      {mayManage && <NewGroup organizations={organizations.rows ?? []} onDone={reload} />}
      {rights.value.holds("admin.credits.grant") && <Grant groups={groups.rows} />}
      <OrganizationsSection list={organizations} />
    </>
  );
}

function NewGroup(props: {
  readonly organizations: readonly { readonly id: string; readonly name: string }[];
  readonly onDone: () => void;
}) {
  const { organizations, onDone } = props;
  const { calls } = useConsole();
  return (
    <ActionForm
      title={text.createGroup}
      run={async ({ name = "", organizationId = "", permissions = "", creditsTier, licenseEnd }) => {
        await calls.call("/group/create", {
          name,
          organizationId,
          permissions: permissionsOf(permissions),
          ...(creditsTier === undefined ? {} : { creditsTier }),
          ...(licenseEnd === undefined ? {} : { licenseEnd: `${licenseEnd}T23:59:59Z` }),
        });
        onDone();
      }}
    >
      <TextField name="name" label={text.name} isRequired />
      <SelectField
        name="organizationId"
        label={text.organization}
        options={organizations.map(({ id, name }) => [id, name])}
      />
      <TextField name="permissions" label={text.permissions} />
      <TextField name="creditsTier" label={text.tier} />
      <TextField name="licenseEnd" type="date" label={text.licenseEnd} />
    </ActionForm>
  );
}

function Grant({ groups }: { readonly groups: readonly Group[] | null }) {
  const { calls } = useConsole();
  return (
    <ActionForm
      title={text.grantCredit}
      run={async ({ groupId = "", credit = "", note = "" }) => {
        await calls.call("/credits/grant", { groupId, credit: Number(credit), note });
      }}
    >
      <SelectField name="groupId" label={text.group} options={groupOptions(groups)} />
      <TextField name="credit" type="number" label={text.credit} isRequired />
      <TextField name="note" label={text.note} isRequired />
    </ActionForm>
  );
}
