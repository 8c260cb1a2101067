import { formatDay, formatTime } from "../format/dates.ts";
import { useConsole } from "../use-console.ts";
import { analysesText } from "./analyses-text.ts";
import type { Analysis, AnalysisFrame } from "./analysis.ts";
import { frameMaps, missingMaps, type MissingMap } from "./frame-maps.ts";

/** The maps of each scene, and the reasons of those that are missing. */
export function AnalysisFrames({ analysis }: { readonly analysis: Analysis }) {
  const { analysisFrames, innerPolygons } = analysis;
  const names = new Map(innerPolygons.map(({ id, properties }) => [id, properties?.name ?? id]));
  const partName = (part: string): string => names.get(part) ?? part;
  return (
    <>
      <h3>{analysesText.frames}</h3>
      {analysisFrames.length === 0 && <p class="hint">{analysesText.noFrames}</p>}
      <ul class="cards">
        {analysisFrames.map((frame) => (
          <Frame key={frame.id} frame={frame} partName={partName} />
        ))}
      </ul>
    </>
  );
}

interface FrameProps {
  readonly frame: AnalysisFrame;
  readonly partName: (part: string) => string;
}

function Frame({ frame, partName }: FrameProps) {
  const { layers, map, state, update, attempt } = useConsole();
  const { scene, failedActions, skippedActions } = frame;
  const day = scene.datetime === undefined ? analysesText.unknownScene : formatDay(scene.datetime);
  const shown = new Set(state.value.layers.map(({ mapId }) => mapId));
  const show = async (one: { readonly mapId: string; readonly maxZoom: number }): Promise<void> => {
    if (shown.has(one.mapId)) return layers.remove(one.mapId);
    update({ selectedSceneId: scene.sceneId });
    await layers.add([one]);
    const [first] = layers.tiles.value;
    if (first !== undefined) map.fitTiles(first.tiles);
  };
  return (
    <li class="card">
      <p>
        <strong>{day}</strong> {scene.datetime === undefined ? "" : formatTime(scene.datetime)}{" "}
        <span class="hint">{scene.satellite ?? scene.dataset ?? ""}</span>
      </p>
      <div class="row wrap">
        {frameMaps(frame).map((one) => {
          const name = one.part === null ? one.mapType : `${one.mapType} ${analysesText.inPart(partName(one.part))}`;
          return (
            <button
              key={one.mapId}
              type="button"
              class="button small one-line"
              title={name}
              aria-label={analysesText.show(name, day)}
              aria-pressed={shown.has(one.mapId)}
              onClick={() => attempt(() => show(one))}
            >
              {name}
            </button>
          );
        })}
      </div>
      <Missing title={analysesText.failed} class="bad-text" maps={missingMaps(failedActions)} partName={partName} />
      <Missing title={analysesText.skipped} class="hint" maps={missingMaps(skippedActions)} partName={partName} />
    </li>
  );
}

function Missing(props: {
  readonly title: string;
  readonly class: string;
  readonly maps: readonly MissingMap[];
  readonly partName: (part: string) => string;
}) {
  return (
    <>
      {props.maps.map(({ mapType, part, reason }) => (
        <p key={`${mapType} ${part ?? ""}`}>
          <span class={props.class}>{props.title}</span> {mapType}{" "}
          {part === null ? "" : analysesText.inPart(props.partName(part))}: {reason}
        </p>
      ))}
    </>
  );
}
