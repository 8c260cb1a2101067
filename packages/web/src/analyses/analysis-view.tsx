import { useEffect, useState } from "preact/hooks";
import { boxOfGeometry } from "../find/area-rings.ts";
import { messageOf } from "../failures/message-of.ts";
import { nameInText } from "../format/name-in-text.ts";
import type { Shape } from "../map/shape.ts";
import { ScreenLink } from "../screens/screen-link.tsx";
import { Failure } from "../ui/failure.tsx";
import { Skeletons } from "../ui/skeletons.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { useConsole } from "../use-console.ts";
import { AddMapsForm } from "./add-maps-form.tsx";
import { AnalysisActions } from "./analysis-actions.tsx";
import { AnalysisEdit } from "./analysis-edit.tsx";
import { AnalysisFrames } from "./analysis-frames.tsx";
import { Tags } from "./analysis-list.tsx";
import { analysisArea, analysisName, readAnalysis, type Analysis } from "./analysis.ts";
import { analysesText } from "./analyses-text.ts";
import { frameMaps } from "./frame-maps.ts";
import { HiddenFeatures } from "./hidden-features.tsx";

/** An analysis that makes maps is read again. */
const LOOK_AGAIN_MS = 2_000;
const QUEUED = 1;
const PROCESSING = 2;
/** Layers of a link. */
const MAX_LAYERS = 20;

/** A saved project: its maps by scene, and everything that a person does with it. */
export function AnalysisView({ analysisId }: { readonly analysisId: string }) {
  const app = useConsole();
  const loaded = useLoaded((signal) => readAnalysis(app.calls, analysisId, signal), []);
  const { value: analysis } = loaded;
  const [mode, setMode] = useState<"add" | "edit" | "look">("look");
  const isMaking = analysis?.status === QUEUED || analysis?.status === PROCESSING;
  useEffect(() => {
    if (!isMaking || loaded.isLoading) return undefined;
    const timer = setTimeout(loaded.reload, LOOK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isMaking, loaded.isLoading]);
  useEffect(() => {
    if (analysis !== null) app.attempt(() => showOpened(app, analysis));
  }, [analysis === null]);
  if (analysis === null) {
    if (loaded.error !== null) return <Failure error={loaded.error} onRetry={loaded.reload} />;
    return <Skeletons label={analysesText.title} />;
  }
  const end = (): void => {
    setMode("look");
    loaded.reload();
  };
  if (mode === "edit") return <AnalysisEdit analysis={analysis} onEnd={end} />;
  if (mode === "add") return <AddMapsForm analysis={analysis} onEnd={end} />;
  return (
    <div class="side-body">
      <ScreenLink screen="analyses" parts={[]}>
        {analysesText.back}
      </ScreenLink>
      {loaded.error !== null && (
        <p class="note warn" role="status">
          {messageOf(loaded.error)}
        </p>
      )}
      <div class="row">
        <h3 class="spring">{analysisName(analysis)}</h3>
        <span class={analysis.status === 4 ? "bad-text" : "hint"} role="status">
          {analysesText.status[analysis.status]}
        </span>
      </div>
      <p class="hint">
        {[
          ...(analysis.path === "" ? [] : [nameInText(analysis.path)]),
          analysesText.version(analysis.version),
          ...(analysis.public ? [analysesText.public] : []),
        ].join(" · ")}
      </p>
      {analysis.description !== "" && <p class="notes">{analysis.description}</p>}
      <Tags tags={analysis.tags} />
      <AnalysisActions
        analysis={analysis}
        onShow={() => app.attempt(() => showMaps(app, analysis))}
        onEdit={() => setMode("edit")}
        onAdd={() => setMode("add")}
      />
      <AnalysisFrames analysis={analysis} />
      <HiddenFeatures analysis={analysis} onChanged={loaded.reload} />
    </div>
  );
}

type Parts = Pick<ReturnType<typeof useConsole>, "layers" | "map" | "setArea" | "state">;

/** The area of an opened analysis, and the maps of its first scene unless some of its maps are shown. */
async function showOpened({ layers, map, setArea, state }: Parts, analysis: Analysis): Promise<void> {
  const { analysisFrames, polygon, innerPolygons } = analysis;
  const shapes: readonly Shape[] = [...(polygon === null ? [] : [polygon]), ...innerPolygons].map(
    ({ id = "", geometry }) => ({ id, geometry, look: "area" }),
  );
  map.showShapes("analysis", { shapes });
  const area = analysisArea(analysis);
  if (area !== null) await setArea(area);
  const shown = new Set(state.peek().layers.map(({ mapId }) => mapId));
  const all = analysisFrames.map(frameMaps);
  if (!all.flat().some(({ mapId }) => shown.has(mapId))) await layers.add((all[0] ?? []).slice(0, MAX_LAYERS));
  const [first] = layers.tiles.value;
  if (first !== undefined) map.fitTiles(first.tiles);
  else if (area !== null) map.fit(boxOfGeometry(area));
}

async function showMaps({ layers, map }: Parts, { analysisFrames }: Analysis): Promise<void> {
  await layers.add(analysisFrames.flatMap(frameMaps).slice(0, MAX_LAYERS));
  const [first] = layers.tiles.value;
  if (first !== undefined) map.fitTiles(first.tiles);
}
