import { formatAngle, formatMetres } from "../format/numbers.ts";
import { text } from "../text/en.ts";
import { useConsole } from "../use-console.ts";
import { StepChips } from "./step-chips.tsx";

/** Filters that few searches need; they appear with the first result. */
export function MoreFilters() {
  const { search, state, update } = useConsole();
  const { offNadir, gsd } = state.value;
  const { value: counts } = search.counts;
  if (counts === null) return null;
  return (
    <details class="datasets" open={offNadir !== null || gsd !== null}>
      <summary>{text.find.moreFilters}</summary>
      <p class="label">{text.find.offNadir}</p>
      <StepChips
        name={text.find.offNadir}
        counts={counts.offNadir}
        chosen={offNadir ?? Infinity}
        format={formatAngle}
        onChoose={(limit) => update({ offNadir: limit })}
      />
      <p class="label">{text.find.gsd}</p>
      <StepChips
        name={text.find.gsd}
        counts={counts.gsd}
        chosen={gsd ?? Infinity}
        format={formatMetres}
        onChoose={(limit) => update({ gsd: limit })}
      />
    </details>
  );
}
