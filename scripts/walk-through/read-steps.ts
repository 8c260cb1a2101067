/** One thing that a reader of a walk-through does. */
export type Step =
  /** Writes a file. */
  | { readonly kind: "file"; readonly path: string; readonly text: string }
  /** Changes a file: a unified diff whose line numbers do not matter. */
  | { readonly kind: "diff"; readonly text: string }
  /** Runs commands of a shell. */
  | { readonly kind: "commands"; readonly lines: readonly string[] };

const FENCE = /^(?<indent> *)```(?<language>\w*)\n(?<text>[\s\S]*?)^\k<indent>```$/gm;
/** The last words before a block with a file: "`packages/a/b.ts`:". */
const PATH_BEFORE = /`(?<path>[\w./-]+\.\w+)`:\s*$/;

/**
 * The steps of one section of a Markdown page, in order. A block of `sh` is run, a block of `diff` is applied, and any
 * block after a path in backticks and a colon is a file. Other blocks are for reading only.
 *
 * @throws {RangeError} when the page has no such section or the section has no step
 */
export function readSteps(page: string, heading: string): readonly Step[] {
  const start = page.indexOf(`\n## ${heading}\n`);
  if (start === -1) throw new RangeError(`there is no section "${heading}"`);
  const end = page.indexOf("\n## ", start + 1);
  const section = page.slice(start, end === -1 ? undefined : end);
  const steps = [...section.matchAll(FENCE)].flatMap((match) => stepOf(match, section.slice(0, match.index)));
  if (steps.length === 0) throw new RangeError(`section "${heading}" has no step`);
  return steps;
}

function stepOf(match: RegExpExecArray, before: string): readonly Step[] {
  const { indent = "", language = "", text: block = "" } = match.groups ?? {};
  const text = block
    .split("\n")
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    .join("\n");
  if (language === "diff") return [{ kind: "diff", text }];
  if (language === "sh") return [{ kind: "commands", lines: text.split("\n").filter((line) => line.trim() !== "") }];
  const path = PATH_BEFORE.exec(before)?.groups?.["path"];
  return path === undefined ? [] : [{ kind: "file", path, text }];
}
