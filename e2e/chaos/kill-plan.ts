import { shuffled } from "./shuffled.ts";

/** One kill: of which victim, in which phase of the load, how long after its beginning. */
export interface PlannedKill<Victim> {
  readonly victim: Victim;
  readonly phase: string;
  readonly delayMs: number;
  /** Time from the restart to another kill of the same victim, which counts by itself; null for none. */
  readonly againAfterMs: number | null;
}

const LONGEST_DELAY_MS = 300;
const LONGEST_START_MS = 1_500;
const SHARE_KILLED_AGAIN = 0.2;

/** Kills that reach every victim and every phase about equally often; the same for equal random numbers. */
export function planKills<Victim>(
  count: number,
  victims: readonly Victim[],
  phases: readonly string[],
  random: () => number,
): readonly PlannedKill<Victim>[] {
  const nextVictim = rounds(victims, random);
  const nextPhase = rounds(phases, random);
  const plan: PlannedKill<Victim>[] = [];
  for (let planned = 0; planned < count;) {
    const isAgain = random() < SHARE_KILLED_AGAIN && planned + 2 <= count;
    plan.push({
      victim: nextVictim(),
      phase: nextPhase(),
      delayMs: random() * LONGEST_DELAY_MS,
      againAfterMs: isAgain ? random() * LONGEST_START_MS : null,
    });
    planned += isAgain ? 2 : 1;
  }
  return plan;
}

/** One item after the other, in another order each round. */
function rounds<Item>(items: readonly Item[], random: () => number): () => Item {
  let left: Item[] = [];
  return () => {
    if (left.length === 0) left = shuffled(items, random);
    const item = left.pop();
    if (item === undefined) throw new RangeError("there is nothing to choose from");
    return item;
  };
}
