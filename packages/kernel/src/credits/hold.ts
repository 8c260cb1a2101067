import type { MicroCredits } from "./micro.ts";

/** Credit that an order holds and has spent. */
export interface HoldAmounts {
  /** Taken when the order was placed. */
  readonly preallocatedMicro: MicroCredits;
  readonly preallocatedM2: number;
  /** Still held for what may come. */
  readonly reservedMicro: MicroCredits;
  readonly reservedM2: number;
  /** Spent on what was captured, or kept when the order ended. */
  readonly settledMicro: MicroCredits;
  readonly settledM2: number;
  /** Given back at the end; never more than was preallocated. */
  readonly returnedMicro: MicroCredits;
}

/**
 * - `held`: the order may still be fulfilled.
 * - `settled`: all captures are known; nothing is held.
 * - `returned`: the order ended without, or with a part of, its captures; nothing is held.
 */
export type HoldState = "held" | "settled" | "returned";

export interface Hold extends HoldAmounts {
  readonly state: HoldState;
}

/** What the captures of an order amount to, all of them so far together. */
export interface Captured {
  readonly micro: MicroCredits;
  /** Whole square metres. */
  readonly areaM2: number;
  /** Nothing more will come: what is left of the hold is given back. */
  readonly isFinal: boolean;
}

/** A hold after a change, and what the change takes off the balance; negative when it gives back. */
export interface HoldChange {
  readonly after: Hold;
  readonly micro: MicroCredits;
  readonly areaM2: number;
}

/** A capture may exceed what its order has preallocated by this much without the user's consent. */
const HOLD_TOLERANCE_PERCENT = 5n;

/** Whether captures cost more than an order may charge without consent: over 105 % of what was preallocated. */
export function exceedsHold(hold: HoldAmounts, capturedMicro: MicroCredits): boolean {
  return capturedMicro * 100n > hold.preallocatedMicro * (100n + HOLD_TOLERANCE_PERCENT);
}

/** A hold of an order that was just placed. */
export function placeHold(micro: MicroCredits, areaM2: number): Hold {
  return {
    preallocatedMicro: micro,
    preallocatedM2: areaM2,
    reservedMicro: micro,
    reservedM2: areaM2,
    settledMicro: 0n,
    settledM2: 0,
    returnedMicro: 0n,
    state: "held",
  };
}

/**
 * What becomes of a hold when captures are known. The same figures again change nothing, so that the changes of an
 * order always sum to what it has cost.
 *
 * @throws {RangeError} when the order was returned, or the figures are negative
 */
export function settleHold(hold: Hold, captured: Captured): HoldChange {
  if (hold.state === "returned") throw new RangeError("the hold was returned");
  if (captured.micro < 0n || captured.areaM2 < 0) {
    throw new RangeError(`captures must cost 0 or more, got ${captured.micro} for ${captured.areaM2} m2`);
  }
  const isOver = captured.isFinal || hold.state === "settled";
  const left = hold.preallocatedMicro - captured.micro;
  const reservedMicro = isOver || left < 0n ? 0n : left;
  const reservedM2 = isOver ? 0 : Math.max(0, hold.preallocatedM2 - captured.areaM2);
  return {
    after: {
      ...hold,
      reservedMicro,
      reservedM2,
      settledMicro: captured.micro,
      settledM2: captured.areaM2,
      state: isOver ? "settled" : "held",
    },
    micro: reservedMicro + captured.micro - hold.reservedMicro - hold.settledMicro,
    areaM2: reservedM2 + captured.areaM2 - hold.reservedM2 - hold.settledM2,
  };
}

/** Parts of a fraction: it is exact to a millionth. */
const PARTS = 1_000_000;

/**
 * Ends an order: a fraction of what it still holds is given back, rounded down to a micro-credit; the rest is kept,
 * as a fee for what cannot be cancelled any more. Captures that were settled before stay paid.
 *
 * @param fraction 0..1
 * @throws {RangeError} when nothing is held any more, or the fraction is outside its range
 */
export function releaseHold(hold: Hold, fraction: number): HoldChange {
  if (hold.state !== "held") throw new RangeError(`the hold is ${hold.state}`);
  if (!(fraction >= 0 && fraction <= 1)) throw new RangeError(`the fraction must be within 0..1, got ${fraction}`);
  const parts = Math.round(fraction * PARTS);
  const returnedMicro = (hold.reservedMicro * BigInt(parts)) / BigInt(PARTS);
  const returnedM2 = parts === PARTS ? hold.reservedM2 : Math.floor((hold.reservedM2 * parts) / PARTS);
  return {
    after: {
      ...hold,
      reservedMicro: 0n,
      reservedM2: 0,
      settledMicro: hold.settledMicro + hold.reservedMicro - returnedMicro,
      settledM2: hold.settledM2 + hold.reservedM2 - returnedM2,
      returnedMicro,
      state: "returned",
    },
    micro: -returnedMicro,
    areaM2: returnedM2 === 0 ? 0 : -returnedM2,
  };
}
