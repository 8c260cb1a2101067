import { monitorFormText as words } from "./monitor-form-text.ts";
import type { MonitorDraft } from "./monitor-draft.ts";

/** Conditions on scenes, and the budget. */
export function LimitFields({
  draft,
  onChange,
}: {
  readonly draft: MonitorDraft;
  readonly onChange: (next: Partial<MonitorDraft>) => void;
}) {
  const { limits, creditsPerMonth, minValidShare } = draft;
  return (
    <>
      <label class="field">
        {`${words.cloud}: ${percentOf(limits.mostCloud ?? 1)} %`}
        <input
          type="range"
          min="0"
          max="100"
          step="5"
          value={percentOf(limits.mostCloud ?? 1)}
          onInput={(event) => {
            const percent = Number(event.currentTarget.value);
            onChange({ limits: { ...limits, mostCloud: percent === 100 ? null : percent / 100 } });
          }}
        />
      </label>
      {limits.mostCloud !== null && <p class="hint">{words.cloudHint}</p>}
      <label class="field">
        {`${words.minValid}: ${percentOf(minValidShare)} %`}
        <input
          type="range"
          min="0"
          max="100"
          step="5"
          value={percentOf(minValidShare)}
          onInput={(event) => onChange({ minValidShare: Number(event.currentTarget.value) / 100 })}
        />
      </label>
      <div class="form-grid">
        <label class="field">
          {words.offNadir}
          <input
            type="number"
            min="0"
            max="90"
            step="any"
            placeholder={words.any}
            value={limits.mostOffNadirDeg ?? ""}
            onInput={({ currentTarget: { value } }) =>
              onChange({ limits: { ...limits, mostOffNadirDeg: value === "" ? null : Number(value) } })
            }
          />
        </label>
        <label class="field">
          {words.budget}
          <input
            type="number"
            required
            min="0"
            max="1000000000"
            step="any"
            value={creditsPerMonth}
            onInput={(event) => onChange({ creditsPerMonth: Number(event.currentTarget.value) })}
          />
        </label>
      </div>
      <p class="hint">{words.budgetHint}</p>
    </>
  );
}

function percentOf(share: number): number {
  return Math.round(share * 100);
}
