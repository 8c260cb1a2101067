import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SPECTRAL_INDICES } from "@swath/kernel/bands/spectral-index";
import { createMapTypes } from "./registry.ts";

const mapTypes = createMapTypes([]);

const ROOT = join(import.meta.dirname, "../../..");
const analysed = mapTypes.all.map(({ id }) => id).filter((id) => !Object.hasOwn(SPECTRAL_INDICES, id));

/** Words that are the name of a map type, and in these places mean something else or are an example of one. */
const OTHER_MEANINGS: readonly (readonly [file: RegExp, ...words: readonly string[]])[] = [
  // The permission of all imagery, and the path of its operations.
  [/features\/users\/permissions\.ts$|features\/api-keys\/contract\.ts$/, "imagery"],
  // The feature of that name.
  [/features\/[^/]+\/feature\.ts$/, "imagery"],
  // The class of that name, which several map types have.
  [/maps\/src\/render\/|features\/maps\/report\//, "clouds"],
  // Groups of map types, and a symbol.
  [/features\/maps\/groups\/group-catalogue\.ts$|maps\/src\/map-type\.ts$/, "imagery", "land-cover", "water", "change"],
  [/features\/feature-store\/contract\.ts$/, "ships"],
  // The specification names it.
  // The specification names it, and the console gives it a name.
  [/features\/analyses\/spawned-map-type\.ts$|web\/src\/maps\/(?:default-file|layer-name)\.ts$/, "imagery"],
  // A rule of monitors that compares with earlier values.
  [/features\/monitors\/(?:rule-schema|settle-scene)\.ts$|web\/src\/monitors\/rule-(?:draft|text)\.ts$/, "change"],
];

test("a map type is named in its own folder and in no shared code", () => {
  const files = globSync(
    [
      "packages/{service,client,web,contract,raster,base,maps}/src/**/*.ts",
      "packages/kernel/src/{credits,permissions,scenes}/**/*.ts",
    ],
    { cwd: ROOT },
  ).filter(
    (file) =>
      !/[.-](?:test|testing|conformance|fixture)\.ts$|\/testing\.ts$/.test(file) &&
      !/maps\/src\/(?:types|analysis)\//.test(file),
  );
  assert.ok(files.length > 300, `${files.length} files`);
  for (const file of files) {
    const meant = OTHER_MEANINGS.filter(([place]) => place.test(file)).flatMap(([, ...words]) => words);
    const strings = readFileSync(join(ROOT, file), "utf8").match(/"[a-z0-9-]+"/g) ?? [];
    const named = new Set(strings.map((text) => text.slice(1, -1)));
    for (const id of analysed) assert.ok(!named.has(id) || meant.includes(id), `${file} names the map type ${id}`);
  }
});

test("the folder of a map type has its id, those of families the name of what makes them", () => {
  const folders = globSync("packages/maps/src/types/*/map-type.ts", { cwd: ROOT }).map((file) =>
    file.split("/").at(-2),
  );
  assert.deepEqual(new Set(folders), new Set([...analysed, "expression", "onnx", "spectral-index"]));
});

test("every map type has a page with a row in the list of pages", () => {
  const list = readFileSync(join(ROOT, "docs/map-types/README.md"), "utf8");
  for (const id of [...analysed, "index", "models"]) {
    assert.ok(list.includes(`](${id}.md)`), `docs/map-types/README.md does not link ${id}.md`);
    const page = readFileSync(join(ROOT, `docs/map-types/${id}.md`), "utf8");
    assert.match(page, /<!-- quality:begin -->[^]*<!-- quality:end -->/, `${id}.md has no place for its figures`);
  }
  const pages = globSync("docs/map-types/*.md", { cwd: ROOT }).map((file) => file.replace(/^.*\/|\.md$/g, ""));
  assert.deepEqual(pages.toSorted(), ["README", "index", "models", ...analysed].toSorted(), "no page without a type");
});
