import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ConfigError, parseConfig } from "./config.ts";
import { misspeltVariables } from "./misspelt-variables.ts";
import { variables } from "./variables.ts";

test("a misspelt variable is named with the setting that it most likely means", () => {
  assert.deepEqual(misspeltVariables({ SWATH_PROT: "9000" }), [
    "the variable SWATH_PROT is no setting and has no effect; did you mean SWATH_PORT?",
  ]);
  assert.deepEqual(misspeltVariables({ SWATH_ADMIN_PASWORD: "x" }), [
    "the variable SWATH_ADMIN_PASWORD is no setting and has no effect; did you mean SWATH_ADMIN_PASSWORD?",
  ]);
});

test("a variable that is near to no setting is named without a guess", () => {
  assert.deepEqual(misspeltVariables({ SWATH_SERVICE_HOST: "10.0.0.1" }), [
    "the variable SWATH_SERVICE_HOST is no setting and has no effect; see docs/configuration.md",
  ]);
});

test("settings, variables of the command line and variables of other programs are not named", () => {
  const settings = Object.values(variables).map(({ name }) => [name, "1"]);
  const others = { SWATH_URL: "x", SWATH_TOKEN: "x", SWATH_CONFIG: "x", PATH: "x", DATABASE_URL_TEST: "x" };
  assert.deepEqual(misspeltVariables({ ...Object.fromEntries(settings), ...others }), []);
});

test("an address of PostgreSQL under a name near DATABASE_URL is named, unless DATABASE_URL is set", () => {
  const misspelt = { DATABASE_URI: "postgres://h/d" };
  assert.deepEqual(misspeltVariables(misspelt), [
    "the variable DATABASE_URI is no setting and has no effect; did you mean DATABASE_URL?",
  ]);
  assert.deepEqual(misspeltVariables({ ...misspelt, DATABASE_URL: "postgres://h/d" }), []);
  assert.deepEqual(misspeltVariables({ DATABASE_URI: "mysql://h/d" }), []);
});

test("a misspelt name in the file of settings is refused with the near one", () => {
  const folder = mkdtempSync(join(tmpdir(), "swath-config-"));
  try {
    const path = join(folder, "swath.json");
    writeFileSync(path, JSON.stringify({ SWATH_DATABASE_CONECTIONS: 9 }));
    assert.throws(
      () => parseConfig({ SWATH_CONFIG: path }),
      (error) => {
        assert.ok(error instanceof ConfigError);
        assert.deepEqual(error.faults, [
          `${path}: there is no setting SWATH_DATABASE_CONECTIONS; did you mean SWATH_DATABASE_CONNECTIONS?`,
        ]);
        return true;
      },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
