import { ApiError } from "@swath/client";
import { useState } from "preact/hooks";
import { messageOf } from "../failures/message-of.ts";
import { useConsole } from "../use-console.ts";
import { analysisDraftOf, changedFields, changedMembers, PEOPLE, type AnalysisDraft } from "./analysis-draft.ts";
import { analysisFormText as words } from "./analysis-form-text.ts";
import { readAnalysis, type Analysis } from "./analysis.ts";

/** Renames, moves and shares an analysis. A change that somebody else made meanwhile is shown before it is overwritten. */
export function AnalysisEdit({ analysis, onEnd }: { readonly analysis: Analysis; readonly onEnd: () => void }) {
  const { calls, session } = useConsole();
  const [base, setBase] = useState(analysis);
  const [draft, setDraft] = useState(() => analysisDraftOf(analysis));
  const [theirs, setTheirs] = useState<Analysis | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { value: user } = session.state;
  const isOwner = user.kind === "signed-in" && user.userId === analysis.userId;
  const mine = changedFields(analysisDraftOf(base), draft);
  const save = async (current: Analysis): Promise<void> => {
    setProblem(null);
    const { id: analysisId, version: ifVersion } = current;
    const change = changedMembers(current, mine, draft);
    try {
      await calls.call("/analytics/analysis/create-or-update", { analysisId, analysis: change, ifVersion });
      onEnd();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) return setProblem(messageOf(error));
      setTheirs(await readAnalysis(calls, analysisId));
    }
  };
  const take = (current: Analysis): void => {
    setBase(current);
    setDraft(analysisDraftOf(current));
    setTheirs(null);
  };
  return (
    <form
      class="side-body"
      onSubmit={(event) => {
        event.preventDefault();
        save(base).catch((error: unknown) => setProblem(messageOf(error)));
      }}
    >
      <h3>{words.change}</h3>
      <EditFields draft={draft} hasArea={base.polygon !== null} isOwner={isOwner} onChange={setDraft} />
      {theirs !== null && (
        <div class="note warn" role="alert">
          <div class="spring">
            <p>{words.conflict(theirs.version)}</p>
            <p>{words.theirs(changedFields(analysisDraftOf(base), analysisDraftOf(theirs)).join(", "))}</p>
            <div class="row wrap">
              <button
                type="button"
                class="button small"
                onClick={() => {
                  save(theirs).catch((error: unknown) => setProblem(messageOf(error)));
                }}
              >
                {words.saveMine}
              </button>
              <button type="button" class="button small" onClick={() => take(theirs)}>
                {words.takeTheirs}
              </button>
            </div>
          </div>
        </div>
      )}
      {problem !== null && (
        <p class="note bad" role="alert">
          {problem}
        </p>
      )}
      <div class="row">
        <span class="spring" />
        <button type="button" class="button" onClick={onEnd}>
          {words.cancel}
        </button>
        <button type="submit" class="button primary" disabled={mine.length === 0 || theirs !== null}>
          {words.save}
        </button>
      </div>
    </form>
  );
}

function EditFields(props: {
  readonly draft: AnalysisDraft;
  readonly hasArea: boolean;
  readonly isOwner: boolean;
  readonly onChange: (draft: AnalysisDraft) => void;
}) {
  const { draft, onChange } = props;
  const field = (name: Exclude<keyof AnalysisDraft, "public">) => ({
    value: draft[name],
    onInput: (event: Event & { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      onChange({ ...draft, [name]: event.currentTarget.value }),
  });
  return (
    <>
      {props.hasArea && (
        <label class="field">
          {words.name}
          <input type="text" maxLength={500} {...field("name")} />
        </label>
      )}
      <label class="field">
        {words.path}
        <input type="text" maxLength={256} placeholder={words.pathPlaceholder} {...field("path")} />
      </label>
      <label class="field">
        {words.tags}
        <input type="text" {...field("tags")} />
      </label>
      <label class="field">
        {words.description}
        <textarea rows={3} maxLength={10_000} {...field("description")} />
      </label>
      {props.isOwner && (
        <fieldset class="rule">
          <legend>{words.people}</legend>
          <label class="row">
            <input
              type="checkbox"
              checked={draft.public}
              onChange={(event) => onChange({ ...draft, public: event.currentTarget.checked })}
            />
            {words.public}
          </label>
          {PEOPLE.map((name) => (
            <label key={name} class="field">
              {words.members[name]}
              <input type="text" {...field(name)} />
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}
