import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { folderTree, type Folder } from "./folder-tree.ts";

interface Item {
  readonly path: string;
}

function flat(folder: Folder<Item>): readonly (readonly [path: string, item: Item])[] {
  const own = folder.items.map((item) => [folder.path, item] as const);
  return [...own, ...folder.folders.flatMap(flat)];
}

test("folders hold their items and their folders, by name", () => {
  const items = [{ path: "fields/2026" }, { path: "" }, { path: "fields" }, { path: "/a//b/" }];
  const tree = folderTree(items);
  assert.deepEqual(
    tree.folders.map(({ name, count }) => [name, count]),
    [
      ["a", 1],
      ["fields", 2],
    ],
  );
  assert.deepEqual(tree.items, [{ path: "" }]);
  assert.deepEqual(
    flat(tree).map(([path]) => path),
    ["", "a/b", "fields", "fields/2026"],
  );
});

test("each item is in one folder, the one of its path", () => {
  const part = fc.constantFrom("a", "b", "c", "__proto__", "");
  const paths = fc.array(
    fc.array(part, { maxLength: 5 }).map((parts) => parts.join("/")),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(paths, (all) => {
      const items = all.map((path) => ({ path }));
      const placed = flat(folderTree(items));
      assert.equal(placed.length, items.length);
      for (const [path, item] of placed) assert.equal(path, item.path.split("/").filter(Boolean).join("/"));
      assert.equal(folderTree(items).count, items.length);
    }),
    { endOnFailure: true },
  );
});
