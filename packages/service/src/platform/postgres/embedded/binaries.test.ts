import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { completeLinks, copyBinaries, findPostgresBinaries } from "./binaries.ts";

test("libraries that npm left without their symbolic links are completed, and the copy runs", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "swath-programs-"));
  try {
    const binaries = findPostgresBinaries(folder);
    if (binaries.root === null) {
      t.skip("the packaged PostgreSQL is absent");
      return;
    }
    const bare = join(folder, "bare");
    cpSync(binaries.root, bare, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() });
    const postgres = join(bare, "native", "bin", "postgres");
    if (process.platform === "linux") assert.throws(() => execFileSync(postgres, ["--version"], { stdio: "ignore" }));
    completeLinks(bare);
    completeLinks(bare);
    assert.match(execFileSync(postgres, ["--version"], { encoding: "utf8" }), /PostgreSQL\) 18/u);

    const copy = copyBinaries({ ...binaries, root: bare }, join(folder, "copy"));
    assert.match(execFileSync(copy.postgres, ["--version"], { encoding: "utf8" }), /PostgreSQL\) 18/u);
    assert.deepEqual(readdirSync(join(folder, "copy")), ["18"], "no draft is left");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
