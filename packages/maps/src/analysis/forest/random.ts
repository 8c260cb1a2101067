/** A seeded sequence of whole numbers below a bound (xorshift32, Marsaglia 2003): the same for the same seed everywhere. */
export function seededRandom(seed: number): (bound: number) => number {
  let state = (seed ^ 0x9e37_79b9) >>> 0 || 1;
  return (bound) => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return Math.floor((state / 4_294_967_296) * bound);
  };
}
