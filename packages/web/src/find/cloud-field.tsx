import { formatShare } from "../format/numbers.ts";
import { text } from "../text/en.ts";
import { useConsole } from "../use-console.ts";
import { StepChips } from "./step-chips.tsx";

/** The most cloud, by a slider or by limits with their numbers of scenes. */
export function CloudField() {
  const { search, state, update } = useConsole();
  const most = state.value.cloud?.most ?? 100;
  return (
    <>
      <label class="label" for="cloud">
        <span>{text.find.cloud}</span>
        <span>{`${most} %`}</span>
      </label>
      <input
        id="cloud"
        type="range"
        min="0"
        max="100"
        step="5"
        value={most}
        onInput={(event) => update({ cloud: { least: 0, most: Number(event.currentTarget.value) } })}
      />
      <StepChips
        name={text.find.cloud}
        counts={search.counts.value?.cloud}
        chosen={most / 100}
        format={formatShare}
        onChoose={(share) => update({ cloud: share === null ? null : { least: 0, most: Math.round(share * 100) } })}
      />
    </>
  );
}
