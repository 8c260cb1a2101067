import { sql } from "kysely";
import type { Log } from "@swath/base/log/log";
import type { Db } from "../../platform/context.ts";
import type { EventSignals } from "../../platform/events/event-signals.ts";
import { lastPosition, type EventReader } from "../../platform/events/read-events.ts";

/** Wakes those who follow events, in one process: one look at the table for all of them. */
export interface EventFeed extends Disposable {
  /** Calls back when there may be new events of the reader. Returns how to stop. */
  onEvents(reader: EventReader, listener: () => void): () => void;
}

export interface EventFeedDeps {
  readonly db: Db;
  readonly events: Pick<EventSignals, "onPlaced">;
  readonly log: Log;
}

interface State {
  readonly listeners: Map<string, Set<() => void>>;
  /** Position up to which listeners were woken. */
  position: number;
  looking: boolean;
  /** Whether something was placed since the look began. */
  isDue: boolean;
}

/** Audiences that one look tells from each other; beyond, everybody is woken. */
const MAX_AUDIENCES = 1_000;

export function createEventFeed({ db, events, log }: EventFeedDeps): EventFeed {
  const state: State = { listeners: new Map(), position: -1, looking: false, isDue: false };
  const stop = events.onPlaced(() => {
    state.isDue = true;
    if (!state.looking && state.listeners.size > 0) void lookAll(db, state, log);
  });
  return {
    onEvents(reader, listener) {
      const keys = keysOf(reader);
      for (const key of keys) {
        const known = state.listeners.get(key) ?? new Set();
        state.listeners.set(key, known.add(listener));
      }
      return () => {
        for (const key of keys) {
          const known = state.listeners.get(key);
          known?.delete(listener);
          if (known?.size === 0) state.listeners.delete(key);
        }
      };
    },
    [Symbol.dispose]: stop,
  };
}

async function lookAll(db: Db, state: State, log: Log): Promise<void> {
  state.looking = true;
  try {
    while (state.isDue) {
      state.isDue = false;
      await look(db, state);
    }
  } catch (error) {
    log.warn({ err: error }, "a look at new events failed");
    // Readers look themselves.
    wake(state, [...state.listeners.keys()]);
  } finally {
    state.looking = false;
  }
}

async function look(db: Db, state: State): Promise<void> {
  const last = await lastPosition(db);
  const keys = state.position < 0 ? null : await audiencesBetween(db, state.position, last);
  state.position = last;
  wake(state, keys ?? [...state.listeners.keys()]);
}

function wake({ listeners }: State, keys: readonly string[]): void {
  const woken = new Set(keys.flatMap((key) => [...(listeners.get(key) ?? [])]));
  for (const listener of woken) listener();
}

/** Null: too many. */
async function audiencesBetween(db: Db, after: number, last: number): Promise<readonly string[] | null> {
  const { rows } = await sql<{ key: string }>`
    select distinct a.key from events e
    cross join lateral unnest(array['user:' || e.user_id, 'group:' || e.group_id, 'organization:' || e.organization_id])
      as a (key)
    where e.position > ${after} and e.position <= ${last} and a.key is not null
    limit ${MAX_AUDIENCES}`.execute(db);
  return rows.length === MAX_AUDIENCES ? null : rows.map(({ key }) => key);
}

function keysOf({ userId, groupId, organizationId }: EventReader): readonly string[] {
  return [`user:${userId}`, `group:${groupId}`, `organization:${organizationId ?? ""}`];
}
