import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import type { Node } from "typescript/unstable/ast";
import { evaluate, namesBefore } from "./evaluate.ts";
import type { Evaluation } from "./evaluation.ts";
import { textsOf, type SourceStatement } from "./find-statements.ts";
import { isTaggedTemplateExpression } from "typescript/unstable/ast";
import type { SourceProgram } from "./source-program.ts";

/** One text of a statement, and the templates of which it is composed. */
export interface CompiledStatement {
  readonly text: string;
  readonly met: readonly Node[];
}

/** Compiles statements and runs none. */
const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

interface Compilable {
  readonly compile: (db: Kysely<unknown>) => { readonly sql: string };
}

function isCompilable(value: unknown): value is Compilable {
  return typeof value === "object" && value !== null && "compile" in value && typeof value.compile === "function";
}

function compileVariant(program: SourceProgram, { built }: SourceStatement, variant: number): CompiledStatement {
  const evaluation: Evaluation = { program, db: compiler, variant, met: new Set(), choices: 0, depth: 0 };
  const value = evaluate(evaluation, built, namesBefore(evaluation, built));
  if (!isCompilable(value)) throw new Error("it cannot be composed from its source");
  const text = value.compile(compiler).sql;
  const met = [...evaluation.met].filter(
    (node) => isTaggedTemplateExpression(node) && textsOf(node).every((part) => text.includes(part)),
  );
  return { text, met };
}

export interface Compilation {
  readonly texts: readonly CompiledStatement[];
  /** Why it has none. */
  readonly failure: string | null;
}

/** Variants end when so many in a row contain no template that is new. */
const MAX_REPEATS = 16;
const MAX_VARIANTS = 240;

/** The different texts that a statement can have. */
export function compileStatement(program: SourceProgram, statement: SourceStatement): Compilation {
  const texts = new Map<string, CompiledStatement>();
  const met = new Set<Node>();
  let failure: string | null = null;
  for (let variant = 0, repeats = 0; variant < MAX_VARIANTS && repeats < MAX_REPEATS; variant += 1) {
    repeats += 1;
    try {
      const compiled = compileVariant(program, statement, variant);
      texts.set(compiled.text, compiled);
      if (compiled.met.some((node) => !met.has(node))) repeats = 0;
      for (const node of compiled.met) met.add(node);
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    }
  }
  return { texts: [...texts.values()], failure: texts.size === 0 ? failure : null };
}
