import { sql } from "kysely";

/**
 * SQL of a part of a condition whose form callers decide. The check of statements prepares texts of the sources, of
 * which these are none; the tests of the dialects execute every operator instead. Values are parameters, as with `sql`.
 */
export const piece = sql;
