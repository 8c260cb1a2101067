import { LRUCache } from "lru-cache";
import type { PoolClient } from "pg";

/** Statements that a connection keeps plans of. The server holds some 20 kB for each. */
const MOST_NAMES = 500;
/** Texts whose uses are counted. */
const MOST_TEXTS = 2_000;
/** A text that is sent so often is one of the code: texts that requests compose are of many kinds. */
const USES_BEFORE_NAME = 3;
/** Longer texts are not kept. */
const MOST_CHARACTERS = 20_000;

/** Names of prepared statements, the same on all connections of a pool. */
export interface PlanNames {
  /** Null for a statement that is planned each time. */
  nameOf(text: string): string | null;
}

/**
 * Names each statement that is sent again and again, at most 500: callers who compose ever new statements use up
 * no more. The names of the first 500 stay.
 */
export function createPlanNames(): PlanNames {
  const names = new Map<string, string>();
  const uses = new LRUCache<string, number>({ max: MOST_TEXTS });
  return {
    nameOf(text) {
      const known = names.get(text);
      if (known !== undefined) return known;
      if (names.size >= MOST_NAMES || text.length > MOST_CHARACTERS) return null;
      const used = (uses.get(text) ?? 0) + 1;
      if (used < USES_BEFORE_NAME) {
        uses.set(text, used);
        return null;
      }
      uses.delete(text);
      const name = `swath_${names.size}`;
      names.set(text, name);
      return name;
    },
  };
}

/**
 * Lets a connection keep the plans of its statements with parameters: parsing and planning a small one costs the
 * server several times its run. The server itself judges after five runs whether one plan serves all parameters.
 */
export function keepPlans(client: PoolClient, names: PlanNames): void {
  const query = client.query.bind(client);
  Object.defineProperty(client, "query", {
    value: (statement: unknown, ...rest: unknown[]): unknown => {
      const [values] = rest;
      const hasParameters = typeof statement === "string" && Array.isArray(values) && values.length > 0;
      const name = hasParameters ? names.nameOf(statement) : null;
      return Reflect.apply(query, undefined, [name === null ? statement : { name, text: statement }, ...rest]);
    },
  });
}
