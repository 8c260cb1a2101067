import type { PoolClient } from "pg";

/**
 * Begins the text of a statement whose plan each connection keeps: parsing and planning a small statement costs the
 * server several times what running it does. For statements that run very often, have one text, and one plan that is good
 * for all parameters.
 */
export const KEEP_PLAN = "/* kept */";

/** By text. Bounded, because only statements written out in the code are marked. */
const names = new Map<string, string>();

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `swath_${names.size}`;
  names.set(text, name);
  return name;
}

/** Lets a connection prepare the statements that are marked with `KEEP_PLAN`, each the first time it runs. */
export function keepPlans(client: PoolClient): void {
  const query = client.query.bind(client);
  Object.defineProperty(client, "query", {
    value: (statement: unknown, ...rest: unknown[]): unknown => {
      const isKept = typeof statement === "string" && statement.startsWith(KEEP_PLAN);
      return Reflect.apply(query, undefined, [
        isKept ? { name: nameOf(statement), text: statement } : statement,
        ...rest,
      ]);
    },
  });
}
