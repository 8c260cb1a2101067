import { sql } from "kysely";
import { TypeFlags } from "typescript/unstable/sync";
import {
  isArrayBindingPattern,
  isArrayLiteralExpression,
  isArrowFunction,
  isAsExpression,
  isBinaryExpression,
  isBindingElement,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isElementAccessExpression,
  isExpressionStatement,
  isFunctionDeclaration,
  isIdentifier,
  isIfStatement,
  isNoSubstitutionTemplateLiteral,
  isNonNullExpression,
  isNumericLiteral,
  isObjectBindingPattern,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isReturnStatement,
  isSatisfiesExpression,
  isShorthandPropertyAssignment,
  isSpreadAssignment,
  isSpreadElement,
  isStringLiteral,
  isSwitchStatement,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isVariableDeclaration,
  isVariableStatement,
  SyntaxKind,
  type ArrowFunction,
  type BinaryExpression,
  type CallExpression,
  type FunctionDeclaration,
  type Identifier,
  type Node,
  type ObjectLiteralExpression,
  type TaggedTemplateExpression,
} from "typescript/unstable/ast";
import { choose, deeper, isSample, sampled, UNKNOWN, type Evaluation, type Names } from "./evaluation.ts";
import { holdsFragment, sampleValue } from "./sample-value.ts";
import { hasFlag } from "./source-program.ts";

/**
 * The value of an expression of the source, with the query builder at work: pieces of SQL are composed as the service
 * composes them. A value that is not known is a sample of its type.
 */
export function evaluate(evaluation: Evaluation, node: Node, names: Names): unknown {
  const value = evaluateKnown(evaluation, node, names);
  return value === UNKNOWN ? sampleValue(evaluation, node) : value;
}

function evaluateKnown(evaluation: Evaluation, node: Node, names: Names): unknown {
  const inner = (child: Node): unknown => evaluate(evaluation, child, names);
  if (isParenthesizedExpression(node) || isAsExpression(node)) return inner(node.expression);
  if (isNonNullExpression(node) || isSatisfiesExpression(node)) return inner(node.expression);
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (isNumericLiteral(node)) return Number(node.text);
  if (node.kind === SyntaxKind.NullKeyword) return null;
  if (node.kind === SyntaxKind.TrueKeyword) return true;
  if (node.kind === SyntaxKind.FalseKeyword) return false;
  if (isIdentifier(node)) return evaluateName(evaluation, node, names);
  if (isTaggedTemplateExpression(node)) return evaluateTemplate(evaluation, node, names);
  if (isCallExpression(node)) return evaluateCall(evaluation, node, names);
  if (isArrowFunction(node)) return closure(evaluation, node, names);
  if (isObjectLiteralExpression(node)) return evaluateObject(evaluation, node, names);
  if (isBinaryExpression(node)) return evaluateBinary(evaluation, node, names);
  if (isPrefixUnaryExpression(node)) {
    const operand = inner(node.operand);
    return node.operator === SyntaxKind.ExclamationToken && typeof operand === "boolean" ? !operand : UNKNOWN;
  }
  if (isConditionalExpression(node)) {
    return inner(holds(evaluation, inner(node.condition)) ? node.whenTrue : node.whenFalse);
  }
  if (isArrayLiteralExpression(node)) {
    return node.elements.flatMap((element) => {
      const value = inner(isSpreadElement(element) ? element.expression : element);
      return isSpreadElement(element) ? (Array.isArray(value) ? value : [UNKNOWN]) : [value];
    });
  }
  if (isPropertyAccessExpression(node)) {
    const object = inner(node.expression);
    return isSample(object) && node.name.text === "length" ? UNKNOWN : memberOf(object, node.name.text);
  }
  if (isElementAccessExpression(node)) {
    const [object, key] = [inner(node.expression), inner(node.argumentExpression)];
    if (typeof object !== "object" || object === null || isSample(object)) return UNKNOWN;
    const values: readonly unknown[] = Object.values(object);
    return typeof key === "string" || typeof key === "number"
      ? memberOf(object, key)
      : values[choose(evaluation, values.length)];
  }
  return UNKNOWN;
}

function memberOf(object: unknown, name: string | number): unknown {
  if ((typeof object !== "object" && typeof object !== "function") || object === null || object === UNKNOWN) {
    return UNKNOWN;
  }
  return name in object ? Reflect.get(object, name) : UNKNOWN;
}

/** Whether a condition holds; one way or the other when it is not known. */
function holds(evaluation: Evaluation, condition: unknown): boolean {
  return typeof condition === "boolean" ? condition : choose(evaluation, 2) === 0;
}

function evaluateName(evaluation: Evaluation, node: Identifier, names: Names): unknown {
  const { program } = evaluation;
  if (names.has(node.text)) return names.get(node.text);
  if (node.text === "sql") return sql;
  if (node.text === "undefined") return undefined;
  const declaration = program.declarationOf(node);
  if (declaration === undefined) return UNKNOWN;
  if (isFunctionDeclaration(declaration) && declaration.body !== undefined) {
    return closure(evaluation, declaration, new Map());
  }
  const type = program.typeOf(node);
  if (!isVariableDeclaration(declaration) || declaration.initializer === undefined || type === undefined)
    return UNKNOWN;
  const { initializer } = declaration;
  return holdsFragment(program, type) ? deeper(evaluation, () => evaluate(evaluation, initializer, names)) : UNKNOWN;
}

function evaluateTemplate(evaluation: Evaluation, node: TaggedTemplateExpression, names: Names): unknown {
  if (!isIdentifier(node.tag) || node.tag.text !== "sql") return UNKNOWN;
  const { template } = node;
  const spans = isTemplateExpression(template) ? template.templateSpans : [];
  const texts = [
    isTemplateExpression(template) ? template.head.text : template.text,
    ...spans.map((s) => s.literal.text),
  ];
  const values = spans.map(({ expression }) => evaluate(evaluation, expression, names));
  evaluation.met.add(node);
  return sql(Object.assign(texts, { raw: texts }), ...values);
}

function evaluateObject(evaluation: Evaluation, node: ObjectLiteralExpression, names: Names): unknown {
  const members = node.properties.flatMap((property): readonly (readonly [string, unknown])[] => {
    if (isShorthandPropertyAssignment(property) && isIdentifier(property.name)) {
      return [[property.name.text, evaluate(evaluation, property.name, names)]];
    }
    if (isPropertyAssignment(property)) {
      const { name, initializer } = property;
      return isIdentifier(name) || isStringLiteral(name) ? [[name.text, evaluate(evaluation, initializer, names)]] : [];
    }
    if (!isSpreadAssignment(property)) return [];
    const spread = evaluate(evaluation, property.expression, names);
    return typeof spread === "object" && spread !== null && spread !== UNKNOWN ? Object.entries(spread) : [];
  });
  return Object.fromEntries(members);
}

function evaluateBinary(evaluation: Evaluation, node: BinaryExpression, names: Names): unknown {
  const left = evaluate(evaluation, node.left, names);
  if (node.operatorToken.kind === SyntaxKind.QuestionQuestionToken && left === null) {
    return evaluate(evaluation, node.right, names);
  }
  const right = evaluate(evaluation, node.right, names);
  if (isSample(left) || isSample(right)) return UNKNOWN;
  if (node.operatorToken.kind === SyntaxKind.EqualsEqualsEqualsToken) return left === right;
  if (node.operatorToken.kind === SyntaxKind.ExclamationEqualsEqualsToken) return left !== right;
  return UNKNOWN;
}

function evaluateCall(evaluation: Evaluation, node: CallExpression, names: Names): unknown {
  const { program } = evaluation;
  const { expression: callee } = node;
  const values = (): readonly unknown[] => node.arguments.map((one) => evaluate(evaluation, one, names));
  if (isPropertyAccessExpression(callee)) {
    const object = evaluate(evaluation, callee.expression, names);
    const method = memberOf(object, callee.name.text);
    if (typeof method !== "function") return UNKNOWN;
    const given = object === sql ? node.arguments.map((one) => sqlArgument(evaluation, one, names)) : values();
    const result: unknown = Reflect.apply(method, object, given);
    return isSample(object) && Array.isArray(result) ? sampled(result) : result;
  }
  if (!isIdentifier(callee)) return UNKNOWN;
  const named = names.get(callee.text);
  if (typeof named === "function") return Reflect.apply(named, undefined, values());
  const declaration = program.declarationOf(callee);
  const type = program.typeOf(node);
  if (declaration === undefined || type === undefined || !holdsFragment(program, type)) return UNKNOWN;
  if (!isFunctionDeclaration(declaration)) return UNKNOWN;
  return closure(evaluation, declaration, new Map())(...values());
}

/** An argument of `sql.id`, `sql.lit` and the like, which become text: a name or a number when it is not known. */
function sqlArgument(evaluation: Evaluation, node: Node, names: Names): unknown {
  const value = evaluate(evaluation, node, names);
  if (value !== UNKNOWN) return value;
  const type = evaluation.program.typeOf(node);
  return type !== undefined && hasFlag(type, TypeFlags.NumberLike) ? 1 : "sample";
}

function closure(
  evaluation: Evaluation,
  node: ArrowFunction | FunctionDeclaration,
  names: Names,
): (...values: readonly unknown[]) => unknown {
  return (...values) =>
    deeper(evaluation, () => {
      const inside: Names = new Map(names);
      for (const [index, parameter] of node.parameters.entries()) {
        bind(parameter.name, index < values.length ? values[index] : UNKNOWN, inside);
      }
      const { body } = node;
      if (body === undefined) return UNKNOWN;
      return isBlock(body)
        ? (run(evaluation, body.statements, inside)?.returned ?? UNKNOWN)
        : evaluate(evaluation, body, inside);
    });
}

/** Gives names their values; a name whose value is not known gets none. */
function bind(name: Node, value: unknown, names: Names): void {
  if (isIdentifier(name)) {
    if (value === UNKNOWN) names.delete(name.text);
    else names.set(name.text, value);
  } else if (isObjectBindingPattern(name) || isArrayBindingPattern(name)) {
    for (const [index, element] of name.elements.entries()) {
      if (!isBindingElement(element) || element.name === undefined) continue;
      const key = element.propertyName ?? element.name;
      const member = isArrayBindingPattern(name) ? index : isIdentifier(key) ? key.text : "";
      bind(element.name, memberOf(value, member), names);
    }
  }
}

/** Runs statements until one returns. */
function run(
  evaluation: Evaluation,
  statements: readonly Node[],
  names: Names,
): { readonly returned: unknown } | undefined {
  for (const statement of statements) {
    const end = runOne(evaluation, statement, names);
    if (end !== undefined) return end;
  }
  return undefined;
}

function runOne(evaluation: Evaluation, node: Node, names: Names): { readonly returned: unknown } | undefined {
  if (isReturnStatement(node)) {
    return { returned: node.expression === undefined ? undefined : evaluate(evaluation, node.expression, names) };
  }
  if (isBlock(node)) return run(evaluation, node.statements, names);
  if (isExpressionStatement(node)) evaluate(evaluation, node.expression, names);
  if (isIfStatement(node)) {
    if (holds(evaluation, evaluate(evaluation, node.expression, names))) {
      return runOne(evaluation, node.thenStatement, names);
    }
    return node.elseStatement === undefined ? undefined : runOne(evaluation, node.elseStatement, names);
  }
  if (isVariableStatement(node)) {
    for (const { name, initializer } of node.declarationList.declarations) {
      if (initializer !== undefined) bind(name, evaluate(evaluation, initializer, names), names);
    }
  }
  if (isSwitchStatement(node)) {
    const { clauses } = node.caseBlock;
    const from = choose(evaluation, clauses.length);
    return run(
      evaluation,
      clauses.slice(from).flatMap((clause) => clause.statements),
      names,
    );
  }
  return undefined;
}

/** The names that the blocks around a node have given values before it. */
export function namesBefore(evaluation: Evaluation, node: Node): Names {
  const names: Names = new Map();
  const blocks: Node[] = [];
  for (let parent: Node | undefined = node.parent; parent !== undefined; parent = parent.parent) blocks.unshift(parent);
  for (const block of blocks) {
    if (!isBlock(block)) continue;
    for (const statement of block.statements) {
      if (statement.end > node.pos) break;
      try {
        runOne(evaluation, statement, names);
      } catch {
        // A name without a value is a sample of its type.
      }
    }
  }
  return names;
}
