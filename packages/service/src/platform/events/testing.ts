import { sql } from "kysely";
import type { Db } from "../context.ts";

export interface RecordedEvent {
  readonly type: string;
  readonly subject: string;
  readonly userId: string | null;
  readonly groupId: string | null;
  readonly organizationId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Events of a subject, or of a type, in the order of writing. */
export async function recordedEvents(db: Db, of: string): Promise<readonly RecordedEvent[]> {
  const { rows } = await sql<RecordedEvent>`
    select type, subject, user_id as "userId", group_id as "groupId", organization_id as "organizationId", data
    from events where subject = ${of} or type = ${of} order by serial`.execute(db);
  return rows;
}
