import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ASSEMBLY_MODULES, isAssemblyFresh } from "./assembly-modules.ts";

const { dependencies } = JSON.parse(readFileSync("extras/wasm/package.json", "utf8")) as {
  readonly dependencies: { readonly assemblyscript: string };
};

for (const module of ASSEMBLY_MODULES) {
  test(`the committed module ${module.name} is what its source compiles to with the pinned compiler`, async () => {
    assert.ok(await isAssemblyFresh(module, dependencies.assemblyscript), "run `npm run build:wasm`");
    assert.equal(await isAssemblyFresh(module, "0.0.0"), false);
  });
}
