import type { Listening } from "../postgres/listening.ts";
import type { DatabasePool } from "../postgres/pool.ts";

/** Channel of changes of rights; the payload is the subject. The database function `announce_rights` writes to it. */
export const RIGHTS_CHANNEL = "swath_rights";

/**
 * Changes of rows that the rights of callers follow from. Triggers announce them, so no change goes unannounced. A
 * subject is the id of a user or of an API key.
 */
export interface RightsChanges {
  /** Whether every change that was committed more than a second ago has been reported. */
  isCurrent(): boolean;
  /** Calls back with the subject of each change, null when any subject may have changed. */
  onChange(listener: (subject: string | null) => void): void;
}

/** Reports no change and is never current: the database is read each time. */
export const UNWATCHED: RightsChanges = { isCurrent: () => false, onChange: () => {} };

/** Reports changes of this process at their commit, and changes of others at their notification. */
export function watchRights(
  listening: Pick<Listening, "isCurrent" | "onNotification" | "onReconnected">,
  pool: Pick<DatabasePool, "onAnnounced">,
): RightsChanges {
  return {
    isCurrent: () => listening.isCurrent(),
    onChange(listener) {
      const tell = (subject: string): void => listener(subject === "" ? null : subject);
      listening.onNotification(RIGHTS_CHANNEL, tell);
      listening.onReconnected(() => listener(null));
      pool.onAnnounced(tell);
    },
  };
}
