import { useEffect, useMemo, useState } from "preact/hooks";
import { boxOfGeometry } from "../find/area-rings.ts";
import type { Box } from "../console-state.ts";
import { useConsole } from "../use-console.ts";
import { NO_LIMITS, withinLimits } from "./limits.ts";
import { LimitFields } from "./limit-fields.tsx";
import type { Marked } from "./marked.ts";
import { OpportunityList } from "./opportunity-list.tsx";
import { OpportunityStrip } from "./opportunity-strip.tsx";
import { OrderBar } from "./order-bar.tsx";
import { ranked, type Ranking } from "./ranked.ts";
import type { Opportunity } from "./study.ts";
import { StudyForm, type Days } from "./study-form.tsx";
import { StudyNotes } from "./study-notes.tsx";
import { TaskingSide } from "./tasking-side.tsx";
import { taskingText as text } from "./tasking-text.ts";
import { reachShapes, trackShapes } from "./tracks.ts";
import { useStudy } from "./use-study.ts";

/** Degrees around the area that the map shows, so that passes are seen beside it. */
const AROUND_DEG = 3;
const SELECTED = "#ff7a1a";
const HOVERED = "#1b58d0";

/** From an area and days to opportunities and an order. */
export function CapturePanel({ days }: { readonly days: Days }) {
  const { map } = useConsole();
  const use = useStudy();
  const [limits, setLimits] = useState(NO_LIMITS);
  const [ranking, setRanking] = useState<Ranking>("best");
  const [hovered, hover] = useState<string | null>(null);
  const [selected, select] = useState<string | null>(null);
  const all = use.study?.opportunities ?? [];
  const { shown, hiddenBy } = useMemo(() => withinLimits(all, limits), [use.study, limits]);
  const list = useMemo(() => ranked(shown, ranking), [shown, ranking]);
  const marked: Marked = { hovered, selected, hover, select };
  const chosen = list.find(({ windowId }) => windowId === selected) ?? null;
  useTracks(shown, marked);
  useEffect(() => {
    const [first] = all;
    if (first !== undefined) map.fit(around(boxOfGeometry(first.request.geometry)));
    select(null);
  }, [use.study]);
  return (
    <>
      <TaskingSide>
        <div class="side-body">
          <StudyForm use={use} days={days} />
          <StudyNotes use={use} />
          {all.length > 0 && (
            <div class={use.state.kind === "asking" ? "results dimmed" : "results"}>
              <LimitFields limits={limits} hiddenBy={hiddenBy} onChange={setLimits} />
              <div class="row" role="status">
                <h2 class="spring">{text.count(list.length)}</h2>
                {all.length > shown.length && (
                  <span class="hint">
                    {shown.length === 0 ? text.allHidden(all.length) : text.hidden(all.length - shown.length)}{" "}
                    <button type="button" class="link" onClick={() => setLimits(NO_LIMITS)}>
                      {text.showHidden}
                    </button>
                  </span>
                )}
              </div>
              <OpportunityList list={list} marked={marked} ranking={ranking} onRank={setRanking} />
            </div>
          )}
        </div>
        {chosen !== null && <OrderBar key={chosen.windowId} opportunity={chosen} />}
      </TaskingSide>
      {shown.length > 0 && <OpportunityStrip list={shown} marked={marked} />}
    </>
  );
}

/** Tracks of all shown passes; the strips of the marked ones. */
function useTracks(shown: readonly Opportunity[], { hovered, selected, select }: Marked): void {
  const { map } = useConsole();
  const tracks = useMemo(() => trackShapes(shown), [shown]);
  useEffect(() => {
    map.showShapes("tasking-tracks", { shapes: tracks, hovered, selected, onPick: select });
    const reach = shown.flatMap((one) => {
      if (one.windowId === selected) return [{ ...one, colour: SELECTED }];
      return one.windowId === hovered ? [{ ...one, colour: HOVERED }] : [];
    });
    map.showShapes("tasking-reach", { shapes: reachShapes(reach) });
  }, [tracks, hovered, selected]);
  useEffect(
    () => () => {
      map.showShapes("tasking-tracks", null);
      map.showShapes("tasking-reach", null);
    },
    [],
  );
}

function around({ west, south, east, north }: Box): Box {
  const widest = east - west + 2 * AROUND_DEG < 360;
  return {
    west: widest ? west - AROUND_DEG : -180,
    south: Math.max(-85, south - AROUND_DEG),
    east: widest ? east + AROUND_DEG : 180,
    north: Math.min(85, north + AROUND_DEG),
  };
}
