import { integerVariable, switchVariable, urlVariable } from "./variable.ts";

/** Settings of the database and of connections to it. */
export const databaseVariables = {
  databaseUrl: urlVariable({
    name: "DATABASE_URL",
    schemes: ["postgres", "postgresql"],
    shownDefault: "the embedded PostgreSQL",
    isSecret: true,
    description:
      "PostgreSQL 15 or later with the contrib extension btree_gist. Without it the service runs an embedded PostgreSQL in SWATH_DATA.",
  }),
  databaseConnections: integerVariable({
    name: "SWATH_DATABASE_CONNECTIONS",
    default: 16,
    min: 4,
    max: 500,
    description: "Most connections of the pool of one process; three more are kept for listening and locks.",
  }),
  databasePlans: switchVariable({
    name: "SWATH_DATABASE_PLANS",
    default: true,
    description:
      "Whether connections keep the plans of statements as prepared statements. `off` for a pooler that hands the " +
      "connection of a session to others, and for poolers without prepared statements.",
  }),
} as const;
