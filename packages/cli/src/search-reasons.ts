import type { Found } from "./search-pages.ts";

/** The way to a search that finds something, by the code of the reason. */
const WAYS: Readonly<Record<string, string>> = {
  "BELOW-MIN-INTERSECTION": "--min-intersection 0 finds every scene that meets the area",
  "OUTSIDE-INTERVAL": "change --from and --to",
  "NOT-INGESTED": "leave out --only-ingested to find them",
  "NO-SCENE": "swath datasets lists what can be searched",
};

/** The lines of a search without a result: the reason, and the option that changes it. */
export function whyNoScene(
  empty: Found["empty"],
  options: { readonly minIntersection?: number; readonly isSplit: boolean; readonly datasetCount: number },
): readonly string[] {
  const where = `no scene found in ${options.datasetCount === 1 ? "the dataset" : `${options.datasetCount} datasets`}`;
  if (empty !== null) {
    const way = WAYS[empty.code];
    const message = empty.message.charAt(0).toLowerCase() + empty.message.slice(1);
    return [`${where}: ${message}`, ...(way === undefined ? [] : [`  ${way}`])];
  }
  const least = options.minIntersection ?? 0.5;
  const of = options.isSplit ? "its tile" : "the area";
  if (least === 0) return [`${where}: none meets the area`];
  return [`${where}: none covers ${least * 100}% of ${of}`, `  ${WAYS["BELOW-MIN-INTERSECTION"] ?? ""}`];
}
