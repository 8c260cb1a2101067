import { useState } from "preact/hooks";
import type { Client } from "@swath/client";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { useConsole } from "../use-console.ts";
import { adminText as text } from "./admin-text.ts";
import { ListTable } from "./list-table.tsx";
import { useList } from "./use-list.ts";

async function listSessions(calls: Client, userId: string | null) {
  return await calls.call("/user/session/list", userId === null ? {} : { userId });
}

const minuteOf = (time: string): string => time.slice(0, 16).replace("T", " ");

/** Browsers in which a user is signed in, one ended or all; null is the signed-in user. */
export function SessionTable(props: {
  readonly userId: string | null;
  readonly label: string;
  readonly title: string;
  /** In the question before all end. */
  readonly name: string;
}) {
  const { userId, label, title, name } = props;
  const { calls, session, attempt } = useConsole();
  const [isAsking, setAsking] = useState(false);
  const list = useList(() => listSessions(calls, userId), userId ?? "");
  const whose = userId === null ? {} : { userId };
  const end = async (id: string): Promise<void> => {
    await calls.call("/user/session/end", { id, ...whose });
    list.reload();
  };
  const endAll = async (): Promise<void> => {
    await calls.call("/user/session/end", whose);
    if (userId === null) await session.signOut();
    else list.reload();
  };
  return (
    <section class="stack" aria-label={label}>
      <h3>{title}</h3>
      <ListTable
        label={label}
        list={list}
        heads={[text.startedAt, text.lastToken, text.withFactor, text.actions]}
        empty={text.noSessions}
        row={({ id, startedAt, lastUsed, secondFactor }) => (
          <tr key={id}>
            <td>{minuteOf(startedAt)}</td>
            <td>{minuteOf(lastUsed)}</td>
            <td>{secondFactor ? text.yes : text.no}</td>
            <td>
              <button
                type="button"
                class="button small"
                aria-label={text.endOne(minuteOf(startedAt))}
                onClick={() => attempt(() => end(id))}
              >
                {text.endSession}
              </button>
            </td>
          </tr>
        )}
      />
      <button type="button" class="button back" onClick={() => setAsking(true)}>
        {text.endAll}
      </button>
      {isAsking && (
        <ConfirmDialog
          title={text.endAllTitle(name)}
          confirm={text.endAll}
          cancel={text.cancel}
          onConfirm={() => attempt(endAll)}
          onClose={() => setAsking(false)}
        >
          {text.endAllText}
        </ConfirmDialog>
      )}
    </section>
  );
}
