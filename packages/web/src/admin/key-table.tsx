import type { Client } from "@swath/client";
import { nameInText } from "../format/name-in-text.ts";
import { useConsole } from "../use-console.ts";
import { adminText as text } from "./admin-text.ts";
import { ListTable } from "./list-table.tsx";
import { useList, type ListUse } from "./use-list.ts";

type Keys = Awaited<ReturnType<typeof listKeys>>["results"];

async function listKeys(calls: Client, userId: string | null) {
  return await calls.call("/user/api-key/list", userId === null ? {} : { userId });
}

/** API keys of a user; null is the signed-in one. */
export function useKeys(userId: string | null): ListUse<Keys[number]> {
  const { calls } = useConsole();
  return useList(() => listKeys(calls, userId), userId ?? "");
}

/** API keys, which are revoked here. */
export function KeyTable(props: {
  readonly userId: string | null;
  readonly label: string;
  readonly empty: string;
  readonly list: ListUse<Keys[number]>;
}) {
  const { userId, label, empty, list } = props;
  const { calls, attempt } = useConsole();
  const revoke = async (id: string): Promise<void> => {
    await calls.call("/user/api-key/revoke", { id, ...(userId === null ? {} : { userId }) });
    list.reload();
  };
  return (
    <ListTable
      label={label}
      list={list}
      heads={[text.name, text.permissions, text.expires, text.lastUsed, text.actions]}
      empty={empty}
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
  );
}
