import { useConsole } from "../use-console.ts";
import { ActionForm } from "./action-form.tsx";
import { adminText as text } from "./admin-text.ts";
import { CheckField, SelectField, TextField } from "./fields.tsx";
import { groupOptions, type Group } from "./use-groups.ts";
import type { User } from "./list-users.ts";
import { UserPermissions } from "./user-permissions.tsx";

/** Changes of a user by an administrator. */
export function UserForm(props: {
  readonly user: User;
  readonly groups: readonly Group[] | null;
  readonly onDone: () => void;
}) {
  const { user, groups, onDone } = props;
  const { calls, attempt } = useConsole();
  const [first = "", ...others] = user.groups;
  const resetFactor = async (): Promise<void> => {
    await calls.call("/user/mfa/reset", { userId: user.id });
    onDone();
  };
  return (
    <>
      <ActionForm
        title={text.of(text.change, user.name)}
        submit={text.save}
        run={async ({ name = user.name, groupId = first, isManager }) => {
          const managed = user.managerOf.filter((id) => id !== groupId && others.includes(id));
          const managerOf = isManager === undefined ? managed : [...managed, groupId];
          const moved = [groupId, ...others.filter((id) => id !== groupId)];
          await calls.call("/user/manage", { userId: user.id, set: { name, groups: moved, managerOf } });
          onDone();
        }}
      >
        <TextField name="name" label={text.name} value={user.name} isRequired />
        <SelectField name="groupId" label={text.group} options={groupOptions(groups)} value={first} />
        <CheckField name="isManager" label={text.manager} value={user.managerOf.includes(first)} />
      </ActionForm>
      <button type="button" class="button" onClick={() => attempt(resetFactor)}>
        {text.resetFactor}
      </button>
      <UserPermissions userId={user.id} name={user.name} />
    </>
  );
}
