import type { Client } from "pg";
import type { Node } from "typescript/unstable/ast";
import { compileStatement } from "./compile-statement.ts";
import { describeStatement } from "./describe-statement.ts";
import { findSql } from "./find-statements.ts";
import { rowFaults } from "./row-faults.ts";
import { readSchemaFacts } from "./schema-facts.ts";
import type { SourceProgram } from "./source-program.ts";

export interface SqlCheck {
  readonly statements: number;
  /** One line each, with file and line. */
  readonly faults: readonly string[];
}

/**
 * Prepares every statement of the files in every text that it can have, and compares its columns with the declared
 * row. A statement that cannot be composed and a piece of SQL that no prepared text contains are faults, too.
 */
export async function checkStatements(program: SourceProgram, client: Client): Promise<SqlCheck> {
  const facts = await readSchemaFacts(client);
  const { statements, templates } = findSql(program);
  const unmet = new Map<Node, string>(templates);
  const faults = new Set<string>();
  for (const statement of statements) {
    const { place, row } = statement;
    const { texts, failure } = compileStatement(program, statement);
    if (failure !== null) faults.add(`${place}: ${failure}`);
    for (const { text, met } of texts) {
      const { columns, error } = await describeStatement(client, text);
      if (error !== null) {
        faults.add(`${place}: ${error}`);
        continue;
      }
      for (const node of met) unmet.delete(node);
      if (row === null) continue;
      for (const fault of rowFaults(program, row, columns, facts)) faults.add(`${place}: ${fault}`);
    }
  }
  for (const place of unmet.values()) faults.add(`${place}: no prepared statement contains this SQL`);
  return { statements: statements.length, faults: [...faults] };
}
