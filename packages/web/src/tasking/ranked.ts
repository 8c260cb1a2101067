/** The part of an opportunity that its rank depends on. */
export interface Ranked {
  readonly startTime: string;
  readonly price: number;
  /** 0 to 1. */
  readonly cloudProbability: number;
  readonly coverageRatio: number;
  /** Degrees; null where the provider does not say. */
  readonly offNadir: number | null;
}

export type Ranking = "best" | "cheapest" | "soonest";
export const RANKINGS: readonly Ranking[] = ["best", "soonest", "cheapest"];

/** Share of the area that is expected to be seen: cloudless, and within reach. */
const yieldOf = ({ cloudProbability, coverageRatio }: Ranked): number => cloudProbability * coverageRatio;

const bySoonest = (a: Ranked, b: Ranked): number => Date.parse(a.startTime) - Date.parse(b.startTime);
const bySteepest = (a: Ranked, b: Ranked): number => (a.offNadir ?? 90) - (b.offNadir ?? 90);

const ORDERS: Readonly<Record<Ranking, (a: Ranked, b: Ranked) => number>> = {
  best: (a, b) => yieldOf(b) - yieldOf(a) || bySteepest(a, b) || bySoonest(a, b),
  soonest: bySoonest,
  cheapest: (a, b) => a.price - b.price || bySoonest(a, b),
};

export function ranked<One extends Ranked>(all: readonly One[], ranking: Ranking): readonly One[] {
  return all.toSorted(ORDERS[ranking]);
}
