import { formatAngle, formatShare } from "../format/numbers.ts";
import { LIMIT_NAMES, type LimitName, type Limits } from "./limits.ts";
import { taskingText as text } from "./tasking-text.ts";

const RANGES: Readonly<Record<LimitName, { readonly min: number; readonly max: number; readonly step: number }>> = {
  offNadirDeg: { min: 0, max: 90, step: 1 },
  sunDeg: { min: -90, max: 90, step: 1 },
  clear: { min: 0, max: 1, step: 0.05 },
  coverage: { min: 0, max: 1, step: 0.05 },
};

/** Limits on the list; each says how many opportunities it hides. */
export function LimitFields(props: {
  readonly limits: Limits;
  readonly hiddenBy: Readonly<Record<LimitName, number>>;
  readonly onChange: (limits: Limits) => void;
}) {
  const { limits, hiddenBy, onChange } = props;
  return (
    <div class="limits">
      {LIMIT_NAMES.map((name) => (
        <label key={name} class="field">
          <span>{text.limits[name]}</span>
          <input
            type="range"
            {...RANGES[name]}
            value={limits[name]}
            onInput={(event) => onChange({ ...limits, [name]: Number(event.currentTarget.value) })}
          />
          <span class="label">
            <span>{name.endsWith("Deg") ? formatAngle(limits[name]) : formatShare(limits[name])}</span>
            <span class={hiddenBy[name] > 0 ? "warn-text" : "hint"}>{text.removes(hiddenBy[name])}</span>
          </span>
        </label>
      ))}
    </div>
  );
}
