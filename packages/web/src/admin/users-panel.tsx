import { useState } from "preact/hooks";
import { useConsole } from "../use-console.ts";
import { ActionForm } from "./action-form.tsx";
import { adminText as text } from "./admin-text.ts";
import { entriesOf } from "./entries-of.ts";
import { CheckField, SelectField, TextField } from "./fields.tsx";
import { ListTable } from "./list-table.tsx";
import { groupOptions, useGroups } from "./use-groups.ts";
import { listUsers, type User } from "./list-users.ts";
import { useList } from "./use-list.ts";
import { UserForm } from "./user-form.tsx";

/** Users: found, created, changed and blocked. */
export function UsersPanel() {
  const { calls, rights } = useConsole();
  const [search, setSearch] = useState("");
  const [changed, setChanged] = useState<string | null>(null);
  const list = useList((cursor) => listUsers(calls, search, cursor), search);
  const groups = useGroups();
  const user = list.rows?.find(({ id }) => id === changed);
  return (
    <>
      <form
        class="row"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          setSearch(entriesOf(event.currentTarget)["search"] ?? "");
        }}
      >
        <input name="search" type="search" class="spring" aria-label={text.search} placeholder={text.search} />
        <button type="submit" class="button">
          {text.find}
        </button>
      </form>
      <ListTable
        label={text.names.users}
        list={list}
        heads={[text.name, text.email, text.group, text.status, text.lastLogin, text.actions]}
        empty={text.noUsers}
        row={(one) => (
          <tr key={one.id}>
            <td>{one.name}</td>
            <td>{one.email}</td>
            <td>{groups.rows?.find(({ id }) => id === one.groups[0])?.name ?? ""}</td>
            <td>{one.blocked ? text.blocked : text.active}</td>
            <td>{one.lastLogin?.slice(0, 10) ?? text.never}</td>
            <td>
              <UserActions user={one} onChange={() => setChanged(one.id)} onDone={list.reload} />
            </td>
          </tr>
        )}
      />
      {user !== undefined && (
        <UserForm
          key={user.id}
          user={user}
          groups={groups.rows}
          onDone={() => {
            setChanged(null);
            list.reload();
          }}
        />
      )}
      {rights.value.holds("organization") && (
        <ActionForm
          title={text.createUser}
          run={async ({ email = "", name = "", password = "", groupId = "", isManager }) => {
            const request = { email, name, password, groupId, isManager: isManager !== undefined };
            await calls.call("/user/organization/create-user", request);
            list.reload();
          }}
        >
          <TextField name="email" type="email" label={text.email} isRequired />
          <TextField name="name" label={text.name} isRequired />
          <TextField name="password" type="password" label={text.password} isRequired />
          <SelectField name="groupId" label={text.group} options={groupOptions(groups.rows)} />
          <CheckField name="isManager" label={text.manager} />
        </ActionForm>
      )}
    </>
  );
}

function UserActions(props: { readonly user: User; readonly onChange: () => void; readonly onDone: () => void }) {
  const { user, onChange, onDone } = props;
  const { calls, rights, attempt, session } = useConsole();
  const { value: self } = session.state;
  if (!rights.value.holds("admin.users.manage")) return null;
  const isSelf = self.kind === "signed-in" && self.userId === user.id;
  const block = async (): Promise<void> => {
    await calls.call("/user/manage", { userId: user.id, set: { blocked: !user.blocked } });
    onDone();
  };
  const blocking = user.blocked ? text.unblock : text.block;
  return (
    <span class="row">
      <button type="button" class="button small" aria-label={text.of(text.change, user.name)} onClick={onChange}>
        {text.change}
      </button>
      {!isSelf && (
        <button
          type="button"
          class="button small"
          aria-label={text.of(blocking, user.name)}
          onClick={() => attempt(block)}
        >
          {blocking}
        </button>
      )}
    </span>
  );
}
