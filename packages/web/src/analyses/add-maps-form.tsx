import { useState } from "preact/hooks";
import { messageOf } from "../failures/message-of.ts";
import { formatCredits } from "../format/numbers.ts";
import { useConsole } from "../use-console.ts";
import { addMaps, unpaidCredits } from "./add-maps.ts";
import { analysisArea, type Analysis } from "./analysis.ts";
import { analysisFormText as words } from "./analysis-form-text.ts";
import { SourceField, useChosenMaps } from "./source-field.tsx";

/** Adds maps of the shown layers or the ticked scenes to an analysis. */
export function AddMapsForm({ analysis, onEnd }: { readonly analysis: Analysis; readonly onEnd: () => void }) {
  const { calls, area, tasks } = useConsole();
  const chosen = useChosenMaps();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const geometry = analysisArea(analysis) ?? area.value;
  const add = async (): Promise<void> => {
    if (geometry === null) return;
    const credits = await unpaidCredits(calls, chosen.maps, geometry);
    if (credits > 0) {
      const { main, tail } = formatCredits(credits);
      throw new Error(words.unpaid(main + tail));
    }
    tasks.look();
    await addMaps(calls, analysis.id, chosen.maps, geometry);
    onEnd();
  };
  return (
    <form
      class="side-body"
      onSubmit={(event) => {
        event.preventDefault();
        setBusy(true);
        setProblem(null);
        add().catch((error: unknown) => {
          setProblem(messageOf(error));
          setBusy(false);
        });
      }}
    >
      <h3>{words.add}</h3>
      <SourceField chosen={chosen} />
      {geometry === null && <p class="hint">{words.needsArea}</p>}
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
        <button type="submit" class="button primary" disabled={geometry === null || chosen.maps.length === 0 || isBusy}>
          {isBusy ? words.saving : words.add}
        </button>
      </div>
    </form>
  );
}
