import { useState } from "preact/hooks";
import { MapTypeField } from "../buy/map-type-field.tsx";
import { AreaField } from "../find/area-field.tsx";
import { DatasetField } from "../find/dataset-field.tsx";
import { messageOf } from "../failures/message-of.ts";
import { useConsole } from "../use-console.ts";
import type { Monitor } from "./monitor.ts";
import { monitorFormText as words } from "./monitor-form-text.ts";
import { createMonitor, monitorDraftOf, updateMonitor, type MonitorDraft } from "./monitor-draft.ts";
import { LimitFields } from "./limit-fields.tsx";
import { ruleOf } from "./rule-draft.ts";
import { RuleFields } from "./rule-fields.tsx";

const MAX_MAP_TYPES = 5;

/** Creates a monitor of the searched area, or changes one. The form keeps its values when the service refuses them. */
export function MonitorForm(props: { readonly monitor: Monitor | null; readonly onEnd?: () => void }) {
  const { monitor } = props;
  const { calls, state, area, open, rights } = useConsole();
  const { cloud, datasets } = state.value;
  const [draft, setDraft] = useState(() => monitorDraftOf(monitor, cloud === null ? null : cloud.most / 100));
  const [problem, setProblem] = useState<unknown>(null);
  const [isSaving, setSaving] = useState(false);
  const change = (next: Partial<MonitorDraft>): void => setDraft({ ...draft, ...next });
  const end = props.onEnd ?? (() => open("monitors"));
  const rule = ruleOf(draft.rule);
  const isReady = rule !== null && (monitor !== null || (area.value !== null && datasets.length > 0));
  const save = async (): Promise<void> => {
    if (rule === null) return;
    setSaving(true);
    setProblem(null);
    try {
      if (monitor !== null) {
        await updateMonitor(calls, monitor, { ...draft, rule });
        end();
      } else if (area.value !== null) {
        open("monitors", await createMonitor(calls, { ...draft, rule, areas: area.value, datasets }));
      }
    } catch (error) {
      setProblem(error);
      setSaving(false);
    }
  };
  return (
    <form
      class="side-body"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h3>{monitor === null ? words.create : words.change}</h3>
      <label class="field">
        {words.name}
        <input
          type="text"
          required
          maxLength={200}
          placeholder={words.namePlaceholder}
          value={draft.name}
          onInput={(event) => change({ name: event.currentTarget.value })}
        />
      </label>
      {monitor === null && <WhereFields />}
      <LimitFields draft={draft} onChange={change} />
      {monitor === null && (
        <MapTypeField
          chosen={draft.mapTypes}
          onChange={(mapTypes) => change(withMapTypes(draft, mapTypes.slice(0, MAX_MAP_TYPES)))}
        />
      )}
      <RuleFields rule={draft.rule} mapTypes={draft.mapTypes} onChange={(next) => change({ rule: next })} />
      {monitor === null && rights.value.holds("datacube.write") && (
        <label class="field">
          {words.project}
          <input
            type="text"
            maxLength={100}
            value={draft.project}
            onInput={(event) => change({ project: event.currentTarget.value })}
          />
        </label>
      )}
      <FormEnd
        problem={problem}
        save={monitor === null ? words.start : words.save}
        isReady={isReady && !isSaving}
        onEnd={end}
      />
    </form>
  );
}

/** The area and the datasets of the search. */
function WhereFields() {
  const { area, state } = useConsole();
  return (
    <>
      <AreaField />
      <p class="hint">{area.value === null ? words.needsArea : words.area}</p>
      <DatasetField />
      {state.value.datasets.length === 0 && <p class="warn-text">{words.datasets}</p>}
    </>
  );
}

function FormEnd(props: {
  readonly problem: unknown;
  readonly save: string;
  readonly isReady: boolean;
  readonly onEnd: () => void;
}) {
  return (
    <>
      {props.problem !== null && (
        <p class="note bad" role="alert">
          {messageOf(props.problem)}
        </p>
      )}
      <div class="row">
        <span class="spring" />
        <button type="button" class="button" onClick={props.onEnd}>
          {words.cancel}
        </button>
        <button type="submit" class="button primary" disabled={!props.isReady}>
          {props.save}
        </button>
      </div>
    </>
  );
}

/** The rule measures one of the maps. */
function withMapTypes({ rule }: MonitorDraft, mapTypes: readonly string[]): Partial<MonitorDraft> {
  const mapType = mapTypes.includes(rule.mapType) ? rule.mapType : (mapTypes[0] ?? "");
  return { mapTypes, rule: { ...rule, mapType } };
}
