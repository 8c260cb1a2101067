import { formatCredits } from "../format/numbers.ts";

/** All six digits, the last four in grey. */
export function Credits({ value }: { readonly value: number }) {
  const { main, tail } = formatCredits(value);
  return (
    <span class="credits">
      {main}
      <span class="tail">{tail}</span>
    </span>
  );
}
