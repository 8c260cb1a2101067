const PAIR = /^\s*([^=,\s]+)\s*=\s*(\d+(?:\.\d+)?)\s*$/u;
const LEAST_WEIGHT = 0.01;
const MOST_WEIGHT = 100;

/** Numbers by tier, of a text such as `gold=4,silver=2`; adds a fault of the variable for each pair that is none. */
export function tierWeights(text: string, variable: string, faults: string[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const pair of text.split(",").filter((part) => part.trim() !== "")) {
    const [, tier = "", digits = ""] = PAIR.exec(pair) ?? [];
    const weight = Number(digits);
    if (tier !== "" && weight >= LEAST_WEIGHT && weight <= MOST_WEIGHT) weights.set(tier, weight);
    else {
      faults.push(
        `${variable}: got "${pair.trim()}", expected a tier and a number of ${LEAST_WEIGHT} to ` +
          `${MOST_WEIGHT}, such as gold=4`,
      );
    }
  }
  return weights;
}
