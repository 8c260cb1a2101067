import type { PoolClient } from "pg";

/** SQLSTATE of the messages by which the database function `announce_rights` names a subject to its own client. */
const ANNOUNCEMENT = "SW001";

/**
 * Calls back with each subject that a transaction of this connection has announced, when the transaction is over and
 * before its caller hears of it. An announcement of a transaction that was rolled back is told too.
 */
export function hearAnnouncements(client: PoolClient, tell: (subject: string) => void): void {
  const announced = new Set<string>();
  const tellAll = (): void => {
    for (const subject of announced) tell(subject);
    announced.clear();
  };
  client.on("notice", ({ code, message = "" }) => {
    if (code === ANNOUNCEMENT) announced.add(message);
  });
  client.connection.on("readyForQuery", ({ status }: { readonly status: string }) => {
    if (status === "I") tellAll();
  });
  // Whether the transaction was committed is not known then.
  client.on("end", tellAll);
}
