import { join } from "node:path";
import { API, type Checker, type Project, type Type, type TypeFlags } from "typescript/unstable/sync";
import { isImportSpecifier, type Node, type SourceFile } from "typescript/unstable/ast";

/** The sources of the service as the compiler sees them. */
export interface SourceProgram extends Disposable {
  readonly files: readonly SourceFile[];
  readonly checker: Checker;
  readonly typeOf: (node: Node) => Type | undefined;
  /** Where a name is declared, behind imports. */
  readonly declarationOf: (name: Node) => Node | undefined;
}

const SERVICE = join(import.meta.dirname, "..", "..", "..", "packages", "service");

function remembered<Result>(ask: (node: Node) => Result): (node: Node) => Result {
  const known = new Map<Node, Result>();
  return (node) => {
    if (!known.has(node)) known.set(node, ask(node));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- set above
    return known.get(node) as Result;
  };
}

function findDeclaration(project: Project, name: Node): Node | undefined {
  const { checker } = project;
  const symbol = checker.getSymbolAtLocation(name);
  const declaration = symbol?.declarations[0]?.resolve(project);
  if (symbol === undefined || declaration === undefined || !isImportSpecifier(declaration)) return declaration;
  return checker.getAliasedSymbol(symbol).declarations[0]?.resolve(project);
}

/** Whether a file has statements of the running service. */
export function isServiceFile(path: string): boolean {
  return path.startsWith(`${join(SERVICE, "src")}/`) && !/test\.ts$|testing\.ts$|fixture\.ts$/u.test(path);
}

/** Opens the wanted files of the service's project. */
export function openSourceProgram(isWanted: (path: string) => boolean): SourceProgram {
  const api = new API({ cwd: SERVICE });
  const [project] = api.updateSnapshot({ openProject: join(SERVICE, "tsconfig.json") }).getProjects();
  if (project === undefined) throw new Error(`there is no project in ${SERVICE}`);
  const { program, checker } = project;
  const files = program.getSourceFileNames().flatMap((name) => {
    const file = isWanted(name) ? program.getSourceFile(name) : undefined;
    return file !== undefined && /execute|sql`/u.test(file.text) ? [file] : [];
  });
  return {
    files,
    checker,
    typeOf: remembered((node) => checker.getTypeAtLocation(node)),
    declarationOf: remembered((name) => findDeclaration(project, name)),
    [Symbol.dispose]: () => api.close(),
  };
}

/** The members of a union; of another type the type itself. */
export function membersOf(type: Type): readonly Type[] {
  return type.isUnionType() ? type.getTypes() : [type];
}

export function hasFlag(type: Type, flag: TypeFlags): boolean {
  return (type.flags & flag) !== 0;
}
