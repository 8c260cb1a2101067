import { useEffect, useState } from "preact/hooks";
import { formatDay, formatTime } from "../format/dates.ts";
import { formatArea, formatMetres } from "../format/numbers.ts";
import { useConsole } from "../use-console.ts";
import { BandsField } from "./bands-field.tsx";
import { ingestText } from "./ingest-text.ts";
import { useShowScene } from "./use-show-scene.ts";
import type { IngestedScene } from "./upload.ts";

const { labels } = ingestText;

/** The content of a file as the service understood it, and the gaps. */
export function SceneSummary({ scene }: { readonly scene: IngestedScene }) {
  const showScene = useShowScene();
  const pixelM = usePixelSize(scene.sceneId);
  const { duplicate, understood, warnings = [] } = scene;
  const isUnnamed = warnings.some(({ code }) => code === "BANDS-UNKNOWN");
  return (
    <div class="understood">
      {duplicate && <p class="note">{ingestText.duplicate}</p>}
      {understood !== undefined && (
        <>
          <h3>{ingestText.understood}</h3>
          <dl class="values">
            <dt>{labels.time}</dt>
            <dd>{`${formatDay(understood.datetime)} ${formatTime(understood.datetime)}`}</dd>
            <dt>{labels.crs}</dt>
            <dd>{understood.crsEpsg === 0 ? ingestText.userCrs : `EPSG:${understood.crsEpsg}`}</dd>
            <dt>{labels.pixel}</dt>
            <dd>{pixelM === null ? ingestText.unknown : formatMetres(pixelM)}</dd>
            <dt>{labels.area}</dt>
            <dd>{formatArea(understood.areaKm2)}</dd>
            <dt>{labels.satellite}</dt>
            <dd>{understood.satellite === "unknown" ? ingestText.unknown : understood.satellite}</dd>
            <dt>{labels.bands}</dt>
            <dd>
              {understood.bands
                .map(({ names, role }) => `${names[0] ?? ""}${role === null ? "" : ` (${role})`}`)
                .join(", ")}
            </dd>
          </dl>
        </>
      )}
      {warnings.map(({ code, message }) => (
        <p key={code} class="note warn">
          {message}
        </p>
      ))}
      {isUnnamed && <BandsField sceneId={scene.sceneId} bandCount={understood?.bands.length ?? 0} />}
      {understood !== undefined && (
        <button type="button" class="button primary" onClick={() => showScene(scene.sceneId, understood.bounds)}>
          {ingestText.show}
        </button>
      )}
    </div>
  );
}

/** The finest pixel of a scene, metres; null until it is read, and where the user may not read it. */
function usePixelSize(sceneId: string): number | null {
  const { calls } = useConsole();
  const [metres, setMetres] = useState<number | null>(null);
  useEffect(() => {
    calls.call("/imagery/scene-info", { sceneId }).then(
      ({ bands }) => setMetres(Math.min(...bands.map(({ gsd }) => gsd))),
      () => setMetres(null),
    );
  }, [sceneId]);
  return metres;
}
