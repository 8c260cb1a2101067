/**
 * IDs of the features that a list hides. An entry is a `featureId`, or an object with the ID as `featureId` or `id`.
 * Other entries hide nothing: clients keep what they like there.
 */
export function hiddenFeatureIds(list: readonly unknown[]): ReadonlySet<string> {
  return new Set(list.flatMap(idsOf));
}

function idsOf(entry: unknown): readonly string[] {
  if (typeof entry === "string") return [entry];
  if (typeof entry !== "object" || entry === null) return [];
  const { featureId, id }: { readonly featureId?: unknown; readonly id?: unknown } = entry;
  return [featureId, id].filter((value) => typeof value === "string");
}
