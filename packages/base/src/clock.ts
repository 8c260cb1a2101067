/** The only source of the present time; tests pass a fixed or stepping one. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
