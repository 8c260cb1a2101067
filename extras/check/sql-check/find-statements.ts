import { relative } from "node:path";
import type { Type } from "typescript/unstable/sync";
import {
  isCallExpression,
  isIdentifier,
  isPropertyAccessExpression,
  isTaggedTemplateExpression,
  isTemplateExpression,
  type Node,
  type SourceFile,
  type TaggedTemplateExpression,
} from "typescript/unstable/ast";
import { isFragment, typeArguments } from "./sample-value.ts";
import { membersOf, type SourceProgram } from "./source-program.ts";

/** A statement of the source. */
export interface SourceStatement {
  /** File and line. */
  readonly place: string;
  /** The call that runs it, or the template that another function runs. */
  readonly node: Node;
  /** The expression that builds it. */
  readonly built: Node;
  /** The declared row; null when nothing is declared. */
  readonly row: Type | null;
}

export interface SourceSql {
  readonly statements: readonly SourceStatement[];
  /** The places of all templates; many are parts of statements. */
  readonly templates: ReadonlyMap<TaggedTemplateExpression, string>;
}

const RUNS = new Set(["execute", "executeTakeFirst", "executeTakeFirstOrThrow", "stream"]);

function isSqlTemplate(node: Node): node is TaggedTemplateExpression {
  return isTaggedTemplateExpression(node) && isIdentifier(node.tag) && node.tag.text === "sql";
}

/** The literal texts of a template. */
export function textsOf({ template }: TaggedTemplateExpression): readonly string[] {
  if (!isTemplateExpression(template)) return [template.text];
  return [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)];
}

/** A whole query that is an argument, so that another function runs it. */
function isGivenQuery(node: TaggedTemplateExpression): boolean {
  return (
    node.parent !== undefined &&
    isCallExpression(node.parent) &&
    /^\s*(?:select|with|insert|update|delete)\b/u.test(textsOf(node)[0] ?? "")
  );
}

function fragmentRow(program: SourceProgram, node: Node): Type | null {
  const type = program.typeOf(node);
  return type === undefined ? null : (typeArguments(program, type)[0] ?? null);
}

/** The rows that a query of the builder answers; null when it answers counts. */
function builderRow(program: SourceProgram, call: Node): Type | null {
  const promised = program.typeOf(call);
  const [answer] = promised === undefined ? [] : typeArguments(program, promised);
  if (answer === undefined) return null;
  const row = program.checker.isArrayType(answer) ? typeArguments(program, answer)[0] : answer;
  const member = row === undefined ? undefined : membersOf(row).find((one) => one.isObjectType());
  return member === undefined || /^(?:Insert|Update|Delete)Result$/u.test(member.getSymbol()?.name ?? "")
    ? null
    : member;
}

function statementOf(program: SourceProgram, node: Node): Omit<SourceStatement, "place"> | null {
  if (isSqlTemplate(node)) {
    return isGivenQuery(node) ? { node, built: node, row: fragmentRow(program, node) } : null;
  }
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return null;
  const { name, expression: built } = node.expression;
  if (!RUNS.has(name.text)) return null;
  const type = program.typeOf(built);
  if (type === undefined) return null;
  if (isFragment(program, type)) return { node, built, row: fragmentRow(program, built) };
  const isBuilder = program.checker.getPropertyOfType(type, "toOperationNode") !== undefined;
  return isBuilder ? { node, built, row: builderRow(program, node) } : null;
}

/** Every statement and every piece of SQL in the files. */
export function findSql(program: SourceProgram): SourceSql {
  const statements: SourceStatement[] = [];
  const templates = new Map<TaggedTemplateExpression, string>();
  const visit = (file: SourceFile, node: Node): void => {
    const place = (): string => {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      return `${relative(process.cwd(), file.fileName)}:${line + 1}`;
    };
    if (isSqlTemplate(node)) templates.set(node, place());
    const statement = statementOf(program, node);
    if (statement !== null) statements.push({ place: place(), ...statement });
    node.forEachChild((child) => {
      visit(file, child);
    });
  };
  for (const file of program.files) visit(file, file);
  return { statements, templates };
}
