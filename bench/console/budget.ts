/** A measured figure and its limit. */
export interface Budget {
  readonly name: string;
  readonly figure: number;
  readonly unit: string;
  readonly limit: number;
  /** Whether the figure must not exceed the limit, or must reach it. */
  readonly kind: "most" | "least";
}

export function isMet({ figure, limit, kind }: Budget): boolean {
  return kind === "most" ? figure <= limit : figure >= limit;
}

export function printBudget(budget: Budget): void {
  const { name, figure, unit, limit, kind } = budget;
  const digits = figure >= 100 ? 0 : 2;
  const verdict = isMet(budget) ? "met" : "MISSED";
  process.stdout.write(`${name}: ${figure.toFixed(digits)} ${unit} (at ${kind} ${limit}) ${verdict}\n`);
}
