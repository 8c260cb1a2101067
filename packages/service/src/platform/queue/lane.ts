import type { Caller } from "../context.ts";

/**
 * Terms of the queue.
 *
 * - **Lane**: pipelines that wait only for each other. Every process has places for each lane. Operations declare
 *   `quick` or `heavy`; a feature declares further lanes for pipelines that other pipelines wait for.
 * - **Share**: the user within a group whose turn a pipeline takes.
 * - **Turn**: the order within a lane. The next pipeline of a share comes one turn after its latest. Where the tier of
 *   the group weighs more it comes a fraction of a turn after it.
 */
export interface QueueLimits {
  /** Pipelines of one share that wait in one lane; further ones are refused. */
  readonly waitingPerCaller: number;
  /** Turns of a tier for each turn of a tier that is not listed. */
  readonly tierWeights: ReadonlyMap<string, number>;
}

export const DEFAULT_QUEUE_LIMITS: QueueLimits = { waitingPerCaller: 1_000, tierWeights: new Map() };

/** The share of a caller. */
export function shareOf({ groupId, userId }: Pick<Caller, "groupId" | "userId">): string {
  return `${groupId} ${userId}`;
}
