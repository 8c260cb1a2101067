import { monitorFormText as words } from "./monitor-form-text.ts";
import { monitorsText } from "./monitors-text.ts";
import type { RuleDraft } from "./rule-draft.ts";

interface FieldsProps {
  readonly rule: RuleDraft;
  readonly onChange: (rule: RuleDraft) => void;
}

/** When a result is an alert. */
export function RuleFields({ rule, mapTypes, onChange }: FieldsProps & { readonly mapTypes: readonly string[] }) {
  return (
    <fieldset class="rule">
      <legend>{words.rule}</legend>
      <select
        aria-label={words.rule}
        value={rule.kind}
        onChange={(event) => onChange({ ...rule, kind: event.currentTarget.value as RuleDraft["kind"] })}
      >
        {Object.entries(words.kinds).map(([kind, name]) => (
          <option key={kind} value={kind}>
            {name}
          </option>
        ))}
      </select>
      <div class="form-grid">
        <Choice
          label={words.mapType}
          value={rule.mapType}
          options={mapTypes.map((type) => [type, type] as const)}
          onChange={(mapType) => onChange({ ...rule, mapType })}
        />
        {rule.kind !== "objects" && <MeasureFields rule={rule} onChange={onChange} />}
        {rule.kind === "threshold" && (
          <>
            <Amount label={words.above} name="above" rule={rule} onChange={onChange} />
            <Amount label={words.below} name="below" rule={rule} onChange={onChange} />
          </>
        )}
        {rule.kind === "change" && (
          <>
            <Amount label={words.by} name="by" rule={rule} onChange={onChange} least={0} />
            <Amount label={words.last} name="last" rule={rule} onChange={onChange} least={1} isWhole />
            <label class="row">
              <input
                type="checkbox"
                checked={rule.relative}
                onChange={(event) => onChange({ ...rule, relative: event.currentTarget.checked })}
              />
              {words.relative}
            </label>
          </>
        )}
        {rule.kind === "objects" && (
          <Amount label={words.atLeast} name="atLeast" rule={rule} onChange={onChange} least={1} isWhole />
        )}
      </div>
    </fieldset>
  );
}

function MeasureFields({ rule, onChange }: FieldsProps) {
  return (
    <>
      <Choice
        label={words.statistic}
        value={rule.statistic}
        options={Object.entries(monitorsText.statistics)}
        onChange={(statistic) => onChange({ ...rule, statistic: statistic as RuleDraft["statistic"] })}
      />
      {rule.statistic === "percentile" && (
        <Amount label={words.percentile} name="percentile" rule={rule} onChange={onChange} least={0} />
      )}
      {rule.statistic === "areaKm2" && (
        <label class="field">
          {words.className}
          <input
            type="text"
            value={rule.className}
            onInput={(event) => onChange({ ...rule, className: event.currentTarget.value })}
          />
        </label>
      )}
    </>
  );
}

function Choice(props: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly onChange: (value: string) => void;
}) {
  return (
    <label class="field">
      {props.label}
      <select value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
        {props.options.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Amount(
  props: FieldsProps & {
    readonly label: string;
    readonly name: "above" | "atLeast" | "below" | "by" | "last" | "percentile";
    readonly least?: number;
    readonly isWhole?: boolean;
  },
) {
  const { rule, name, onChange } = props;
  return (
    <label class="field">
      {props.label}
      <input
        type="number"
        step={props.isWhole === true ? "1" : "any"}
        min={props.least}
        value={rule[name]}
        onInput={(event) => onChange({ ...rule, [name]: event.currentTarget.value })}
      />
    </label>
  );
}
