import { nameInText } from "../format/name-in-text.ts";
import { useConsole } from "../use-console.ts";
import { ActionForm } from "./action-form.tsx";
import { adminText as text } from "./admin-text.ts";
import { CheckField, SelectField, TextField } from "./fields.tsx";
import { KeyTable, useKeys } from "./key-table.tsx";
import { SessionTable } from "./session-table.tsx";
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
      <KeysOf user={user} />
      <SessionTable
        userId={user.id}
        label={text.sessionsOf(user.name)}
        title={text.sessionsOf(nameInText(user.name))}
        name={nameInText(user.name)}
      />
    </>
  );
}

function KeysOf({ user }: { readonly user: User }) {
  const list = useKeys(user.id);
  const label = text.keysOf(user.name);
  return (
    <section class="stack" aria-label={label}>
      <h3>{text.keysOf(nameInText(user.name))}</h3>
      <KeyTable userId={user.id} label={label} empty={text.noKeysOf} list={list} />
    </section>
  );
}
