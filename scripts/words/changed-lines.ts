import { spawnSync } from "node:child_process";

/** Whether a line of the working tree has changed, by file. */
export type ChangedLines = ReadonlyMap<string, (line: number) => boolean>;

function git(cwd: string, ...args: string[]): string | null {
  const { status, stdout } = spawnSync("git", args, { cwd, encoding: "utf8", maxBuffer: 1 << 28 });
  return status === 0 ? stdout : null;
}

/**
 * The commit to compare with: where this branch left `origin/main`, else `main`. On main itself this is HEAD, so
 * only uncommitted lines have changed. Null outside a repository.
 */
export function baseCommit(cwd: string): string | null {
  for (const branch of ["origin/main", "main", "HEAD"]) {
    const base = git(cwd, "merge-base", "HEAD", branch);
    if (base !== null) return base.trim();
  }
  return null;
}

/** Lines that the working tree adds or changes since a commit, new files included. */
export function changedLines(cwd: string, base: string): ChangedLines {
  const numbers = new Map<string, Set<number>>();
  const diff = git(cwd, "diff", "--unified=0", "--no-color", "--find-renames", "--no-prefix", base) ?? "";
  let file: string | null = null;
  for (const line of diff.split("\n")) {
    if (line.startsWith("+++ ")) file = line === "+++ /dev/null" ? null : line.slice(4).trimEnd();
    const [, from, count = "1"] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (file === null || from === undefined) continue;
    const known = numbers.get(file) ?? new Set();
    for (let i = 0; i < Number(count); i += 1) known.add(Number(from) + i);
    numbers.set(file, known);
  }
  const changed = new Map<string, (line: number) => boolean>();
  for (const [path, known] of numbers) changed.set(path, (line) => known.has(line));
  for (const path of (git(cwd, "ls-files", "--others", "--exclude-standard") ?? "").split("\n")) {
    if (path !== "") changed.set(path, () => true);
  }
  return changed;
}
