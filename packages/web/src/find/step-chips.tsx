import type { StepCounts } from "@swath/kernel/scenes/scene-counts";
import { text } from "../text/en.ts";
import { useConsole } from "../use-console.ts";

/** Limits of a filter, each with the number of scenes it would show; nothing before a search. */
export function StepChips(props: {
  readonly name: string;
  readonly counts: StepCounts | undefined;
  /** A limit at or above the last one stands for none. */
  readonly chosen: number;
  readonly format: (limit: number) => string;
  /** Null: no limit. */
  readonly onChoose: (limit: number | null) => void;
}) {
  const { search } = useConsole();
  const { name, counts, chosen, format, onChoose } = props;
  if (counts === undefined) return null;
  const suffix = search.counts.value?.isLeast === true ? "+" : "";
  const { steps, unknown } = counts;
  return (
    <div class="steps" role="group" aria-label={name}>
      {steps.map(({ atMost, scenes }, position) => {
        const isLast = position === steps.length - 1;
        const limit = isLast ? text.find.any : text.find.atMost(format(atMost));
        const count = `${scenes + unknown}${suffix}`;
        return (
          <button
            key={atMost}
            type="button"
            class="step"
            aria-pressed={isLast ? chosen >= atMost : chosen === atMost}
            onClick={() => onChoose(isLast ? null : atMost)}
          >
            {limit} <span class="hint">{count}</span>
          </button>
        );
      })}
    </div>
  );
}
