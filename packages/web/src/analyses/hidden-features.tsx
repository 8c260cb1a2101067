import { useConsole } from "../use-console.ts";
import { analysesText } from "./analyses-text.ts";
import type { Analysis } from "./analysis.ts";
import { hiddenId } from "./frame-maps.ts";

/** Objects that a person has hidden from the maps of an analysis. */
export function HiddenFeatures({
  analysis,
  onChanged,
}: {
  readonly analysis: Analysis;
  readonly onChanged: () => void;
}) {
  const { calls, attempt } = useConsole();
  const { id: analysisId, hiddenFeatures, version } = analysis;
  if (hiddenFeatures.length === 0) return null;
  const unhide = async (position: number): Promise<void> => {
    const change = { hiddenFeatures: hiddenFeatures.toSpliced(position, 1) };
    await calls.call("/analytics/analysis/create-or-update", { analysisId, analysis: change, ifVersion: version });
    onChanged();
  };
  return (
    <>
      <h3>{analysesText.hidden}</h3>
      <p class="hint">{analysesText.hiddenAbout}</p>
      <ul class="hidden-features">
        {hiddenFeatures.map((entry, position) => {
          const name = hiddenId(entry) ?? JSON.stringify(entry);
          return (
            <li key={name} class="row">
              <span class="spring">{name}</span>
              <button
                type="button"
                class="button small"
                aria-label={analysesText.unhide(name)}
                onClick={() => attempt(() => unhide(position))}
              >
                {analysesText.showAgain}
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}
