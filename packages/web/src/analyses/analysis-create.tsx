import { useState } from "preact/hooks";
import { AreaField } from "../find/area-field.tsx";
import { messageOf } from "../failures/message-of.ts";
import { formatCredits } from "../format/numbers.ts";
import { useConsole } from "../use-console.ts";
import { addMaps, unpaidCredits } from "./add-maps.ts";
import { analysisFormText as words } from "./analysis-form-text.ts";
import { SourceField, useChosenMaps } from "./source-field.tsx";
import { splitList } from "./split-list.ts";

/** Saves the searched area with the shown layers or the ticked scenes. */
export function AnalysisCreate() {
  const { calls, area, open } = useConsole();
  const [draft, setDraft] = useState({ name: "", path: "", tags: "", description: "" });
  const [isSaving, setSaving] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const chosen = useChosenMaps();
  const { value: geometry } = area;
  const save = async (): Promise<void> => {
    if (geometry === null) return;
    const credits = await unpaidCredits(calls, chosen.maps, geometry);
    if (credits > 0) {
      const { main, tail } = formatCredits(credits);
      throw new Error(words.unpaid(main + tail));
    }
    const { name, path, tags, description } = draft;
    const polygon = { type: "Feature" as const, geometry, properties: { name } };
    const analysis = { polygon, path, description, tags: [...splitList(tags)] };
    const { analysisId } = await calls.call("/analytics/analysis/create-or-update", { analysis });
    try {
      await addMaps(calls, analysisId, chosen.maps, geometry);
    } finally {
      // A saved analysis whose maps failed says why.
      open("analyses", analysisId);
    }
  };
  const field = (name: keyof typeof draft) => ({
    value: draft[name],
    onInput: (event: Event & { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      setDraft({ ...draft, [name]: event.currentTarget.value }),
  });
  return (
    <form
      class="side-body"
      onSubmit={(event) => {
        event.preventDefault();
        setSaving(true);
        setProblem(null);
        save().catch((error: unknown) => {
          setProblem(messageOf(error));
          setSaving(false);
        });
      }}
    >
      <h3>{words.create}</h3>
      <label class="field">
        {words.name}
        <input type="text" required maxLength={500} placeholder={words.namePlaceholder} {...field("name")} />
      </label>
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
      <AreaField />
      {geometry === null && <p class="hint">{words.needsArea}</p>}
      <SourceField chosen={chosen} />
      {problem !== null && (
        <p class="note bad" role="alert">
          {problem}
        </p>
      )}
      <div class="row">
        <span class="spring" />
        <button type="button" class="button" onClick={() => open("analyses")}>
          {words.cancel}
        </button>
        <button type="submit" class="button primary" disabled={geometry === null || isSaving}>
          {isSaving ? words.saving : words.save}
        </button>
      </div>
    </form>
  );
}
