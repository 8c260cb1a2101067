import { nameInText } from "../format/name-in-text.ts";
import { useConsole } from "../use-console.ts";
import { ActionForm } from "./action-form.tsx";
import { adminText as text } from "./admin-text.ts";
import { DeleteButton } from "./delete-button.tsx";
import { TextField } from "./fields.tsx";
import { ListTable } from "./list-table.tsx";
import type { Organizations } from "./use-organizations.ts";

/** Organisations: created, and deleted when they have no groups. */
export function OrganizationsSection({ list }: { readonly list: Organizations }) {
  const { calls, rights } = useConsole();
  const mayManage = rights.value.holds("admin.organizations.manage");
  const remove = async (organizationId: string): Promise<void> => {
    await calls.call("/organization/delete", { organizationId });
    list.reload();
  };
  return (
    <>
      {rights.value.holds("admin.organizations.list") && (
        <>
          <h3>{text.organizations}</h3>
          <ListTable
            label={text.organizations}
            list={list}
            heads={[text.name, text.groupCount, text.actions]}
            empty={text.noOrganizations}
            row={({ id, name, groups }) => (
              <tr key={id}>
                <td>{name}</td>
                <td>{groups}</td>
                <td>
                  {mayManage && (
                    <DeleteButton
                      name={name}
                      question={text.removeOrganization(nameInText(name))}
                      rule={text.removeOrganizationText}
                      run={() => remove(id)}
                    />
                  )}
                </td>
              </tr>
            )}
          />
        </>
      )}
      {mayManage && (
        <ActionForm
          title={text.createOrganization}
          run={async ({ name = "" }) => {
            await calls.call("/organization/create", { name });
            list.reload();
          }}
        >
          <TextField name="name" label={text.organizationName} isRequired />
        </ActionForm>
      )}
    </>
  );
}
