import { boxOfGeometry } from "../find/area-rings.ts";
import { formatDay, formatTime } from "../format/dates.ts";
import { formatAngle, formatShare } from "../format/numbers.ts";
import { useConsole } from "../use-console.ts";
import type { AreaPolygon } from "./study.ts";
import { taskingText as text } from "./tasking-text.ts";
import type { Capture, Followed } from "./use-order.ts";

/** Captures of an order; a published one opens as a scene of the search. */
export function CaptureList({ order, captures }: Followed) {
  const { attempt, update, setArea, search, open, map } = useConsole();
  const openScene = async ({ captureTime }: Capture, sceneId: string): Promise<void> => {
    const day = captureTime.slice(0, 10);
    update({
      datasets: [{ provider: order.provider, dataset: order.dataset }],
      time: { start: day, end: day },
      cloud: null,
      selectedSceneId: sceneId,
    });
    const area = order.geometry as AreaPolygon;
    await setArea(area);
    open("");
    map.fit(boxOfGeometry(area));
    await search.run(area);
  };
  return (
    <>
      <h3>{text.captures}</h3>
      {captures.length === 0 && <p class="hint">{text.noCaptures}</p>}
      <ul class="opportunities" aria-label={text.captures}>
        {captures.map((capture) => (
          <li key={capture.id} class="scene">
            <span class="facts spring">
              <span>
                <strong>{formatDay(capture.captureTime)}</strong> {formatTime(capture.captureTime)}
              </span>
              <span>{factsOf(capture).join(" · ")}</span>
            </span>
            {capture.ingestedScenes.slice(0, 1).map(({ id }) => (
              <button key={id} type="button" class="button small" onClick={() => attempt(() => openScene(capture, id))}>
                {text.openScene}
              </button>
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}

function factsOf({ status, cloudCover, offNadir, fulfils }: Capture): readonly string[] {
  return [
    text.captureStatuses[status],
    ...(cloudCover === null ? [] : [text.cloudCover(formatShare(cloudCover))]),
    ...(offNadir === null ? [] : [text.offNadir(formatAngle(offNadir))]),
    ...(fulfils === null ? [] : [fulfils ? text.fulfils : text.fails]),
  ];
}
