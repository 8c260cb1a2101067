/** Bounds on the number of things that one caller holds, and all callers together. */
export interface ShareBounds {
  readonly perCaller: number;
  readonly inAll: number;
}

/** The amounts that callers hold at present. */
export interface Shares {
  readonly bounds: ShareBounds;
  readonly held: Map<string, number>;
  total: number;
}

export function createShares(bounds: ShareBounds): Shares {
  return { bounds, held: new Map(), total: 0 };
}

/**
 * Adds to the amount of a caller, unless that exceeds the bounds. Below the equal share of the callers that hold
 * anything, the bound in all refuses nobody: others at their bounds never take the share of a caller.
 *
 * @param amount at most `perCaller`
 * @returns whether it was added; `giveBack` takes it away again
 */
export function takeShare(shares: Shares, caller: string, amount = 1): boolean {
  const { bounds, held } = shares;
  const before = held.get(caller);
  const after = (before ?? 0) + amount;
  if (after > bounds.perCaller) return false;
  const callers = held.size + (before === undefined ? 1 : 0);
  const equalShare = Math.max(1, Math.floor(bounds.inAll / callers));
  if (shares.total + amount > bounds.inAll && after > equalShare) return false;
  held.set(caller, after);
  shares.total += amount;
  return true;
}

export function giveBack(shares: Shares, caller: string, amount = 1): void {
  const left = (shares.held.get(caller) ?? 0) - amount;
  if (left > 0) shares.held.set(caller, left);
  else shares.held.delete(caller);
  shares.total -= amount;
}
