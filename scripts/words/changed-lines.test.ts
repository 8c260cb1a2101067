import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { baseCommit, changedLines } from "./changed-lines.ts";

function repository() {
  const folder = mkdtempSync(join(tmpdir(), "words-"));
  const git = (...args: string[]): string => {
    const identity = ["-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "core.hooksPath=/dev/null"];
    const { status, stdout, stderr } = spawnSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8" });
    assert.equal(status, 0, stderr);
    return stdout.trim();
  };
  const commit = (file: string, text: string): string => {
    writeFileSync(join(folder, file), text);
    git("add", "--all");
    git("commit", "--quiet", "--message", file);
    return git("rev-parse", "HEAD");
  };
  git("init", "--quiet", "--initial-branch", "main");
  return { folder, git, commit, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

function linesOf(folder: string, file: string): readonly number[] {
  const base = baseCommit(folder);
  assert.ok(base !== null);
  return [1, 2, 3, 4].filter((line) => changedLines(folder, base).get(file)?.(line));
}

test("On main only uncommitted lines and new files have changed", () => {
  using repo = repository();
  repo.commit("a.md", "one\ntwo\nthree\n");
  assert.deepEqual(linesOf(repo.folder, "a.md"), []);
  writeFileSync(join(repo.folder, "a.md"), "one\nzwei\nthree\nfour\n");
  writeFileSync(join(repo.folder, "new.md"), "x\n");
  assert.deepEqual(linesOf(repo.folder, "a.md"), [2, 4]);
  assert.deepEqual(linesOf(repo.folder, "new.md"), [1, 2, 3, 4]);
});

test("On a branch its commits have changed too, those of main meanwhile have not", () => {
  using repo = repository();
  const left = repo.commit("a.md", "one\ntwo\n");
  repo.git("checkout", "--quiet", "-b", "topic");
  repo.commit("a.md", "one\nzwei\n");
  repo.git("checkout", "--quiet", "main");
  repo.commit("b.md", "other\n");
  repo.git("checkout", "--quiet", "topic");
  assert.equal(baseCommit(repo.folder), left);
  assert.deepEqual(linesOf(repo.folder, "a.md"), [2]);
  assert.deepEqual(linesOf(repo.folder, "b.md"), []);
});

test("A file that moved unchanged has no changed line", () => {
  using repo = repository();
  repo.commit("a.md", "one\ntwo\nthree\nfour\n");
  repo.git("mv", "a.md", "b.md");
  assert.deepEqual(linesOf(repo.folder, "b.md"), []);
});

test("In a fresh clone of main nothing has changed, and outside a repository there is no base", () => {
  using repo = repository();
  repo.commit("a.md", "one\n");
  using empty = repository();
  rmSync(join(empty.folder, ".git"), { recursive: true });
  assert.equal(baseCommit(empty.folder), null);
  repo.git("clone", "--quiet", repo.folder, join(empty.folder, "clone"));
  assert.deepEqual(linesOf(join(empty.folder, "clone"), "a.md"), []);
});
