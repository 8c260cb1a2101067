import type { EmptySearch } from "@swath/contract/features/imagery/contract";
import type { OverlapThreshold } from "@swath/kernel/geometry/intersection-ratio";
import { formatInstant } from "@swath/kernel/time/instant";
import type { Hit } from "./hit.ts";
import type { SearchPlan } from "./search-plan.ts";

/** Reads the hits of a search with other conditions, at most one more than its limit; null when a source failed. */
type ReadHits = (plan: SearchPlan) => Promise<readonly Hit[] | null>;

/** Scenes that are counted. */
const MOST_COUNTED = 20;

/**
 * The condition that left everything out: the search is repeated for a few scenes without threshold and without the
 * conditions on the store, then without interval. At most two readings. Null when a reading is null.
 */
export async function explainEmpty(plan: SearchPlan, read: ReadHits): Promise<EmptySearch | null> {
  const { threshold, from, to } = plan;
  const open: SearchPlan = {
    ...plan,
    threshold: { of: threshold.of, ratio: 0 },
    onlyIngested: false,
    onlyDownloadable: false,
    limit: MOST_COUNTED,
    cursor: null,
  };
  const hasConditions = threshold.ratio > 0 || plan.onlyIngested || plan.onlyDownloadable;
  const inInterval = hasConditions ? await read(open) : [];
  if (inInterval === null) return null;
  if (inInterval.length > 0) return leftOut(plan, inInterval);
  const anytime = from === null && to === null ? [] : await read({ ...open, from: null, to: null });
  if (anytime === null) return null;
  const [newest] = anytime;
  if (newest === undefined) return { code: "NO-SCENE", message: "No scene of the datasets meets the area" };
  return {
    code: "OUTSIDE-INTERVAL",
    message:
      `${counted(anytime)} the area at other times, the newest on ` +
      formatInstant(newest.key.acquiredAtMs).slice(0, 10),
  };
}

/** The scenes meet the area in the interval: another condition is at fault. */
function leftOut({ threshold, onlyIngested, onlyDownloadable }: SearchPlan, hits: readonly Hit[]): EmptySearch {
  const stored = hits.filter(({ ingested }) => ingested);
  if (onlyIngested && stored.length === 0) {
    return { code: "NOT-INGESTED", message: `${counted(hits)} the area, and none has its pixels in the store` };
  }
  if (threshold.ratio > 0) {
    const { verb, of } = WORDS[threshold.of];
    const scenes = number(onlyIngested ? stored : hits, verb);
    return { code: "BELOW-MIN-INTERSECTION", message: `${scenes} less than ${share(threshold.ratio)} of ${of}` };
  }
  const reason = onlyDownloadable ? "and none can be downloaded" : "and none fits the conditions";
  return { code: onlyDownloadable ? "NOT-DOWNLOADABLE" : "NO-SCENE", message: `${counted(hits)} the area, ${reason}` };
}

type Verb = readonly [one: string, several: string];

const WORDS: Readonly<Record<OverlapThreshold["of"], { readonly verb: Verb; readonly of: string }>> = {
  extent: { verb: ["covers", "cover"], of: "the area" },
  scene: { verb: ["has", "have"], of: "their footprint in the area" },
};

function counted(hits: readonly Hit[]): string {
  return number(hits, ["meets", "meet"]);
}

function number(hits: readonly Hit[], [one, several]: Verb): string {
  if (hits.length === 1) return `1 scene ${one}`;
  return `${hits.length > MOST_COUNTED ? `more than ${MOST_COUNTED}` : hits.length} scenes ${several}`;
}

function share(ratio: number): string {
  return ratio === 0.5 ? "half" : `${Number((ratio * 100).toFixed(2))}%`;
}
