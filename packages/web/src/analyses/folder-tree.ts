/** A folder with the folders and the items in it. */
export interface Folder<Item> {
  /** Last part of the path. */
  readonly name: string;
  /** All parts, divided by slashes. */
  readonly path: string;
  readonly folders: readonly Folder<Item>[];
  readonly items: readonly Item[];
  /** Items in it and in all folders below it. */
  readonly count: number;
}

/** Sorts items into the folders of their paths; empty parts of a path are left out. The root has no name. */
export function folderTree<Item extends { readonly path: string }>(items: readonly Item[]): Folder<Item> {
  return folderOf(
    "",
    items.map((item) => ({ item, parts: item.path.split("/").filter((part) => part.trim() !== "") })),
  );
}

interface Placed<Item> {
  readonly item: Item;
  /** Parts below the folder. */
  readonly parts: readonly string[];
}

function folderOf<Item>(path: string, placed: readonly Placed<Item>[]): Folder<Item> {
  const inside = Map.groupBy(
    placed.filter(({ parts }) => parts.length > 0),
    ({ parts }) => parts[0] ?? "",
  );
  const folders = [...inside]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, members]) =>
      folderOf(
        path === "" ? name : `${path}/${name}`,
        members.map(({ item, parts }) => ({ item, parts: parts.slice(1) })),
      ),
    );
  const items = placed.filter(({ parts }) => parts.length === 0).map(({ item }) => item);
  return { name: path.split("/").at(-1) ?? "", path, folders, items, count: placed.length };
}
