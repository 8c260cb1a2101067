import { formatDay, timeMs } from "../format/dates.ts";
import type { Marked } from "./marked.ts";
import type { Opportunity } from "./study.ts";
import { taskingText as text } from "./tasking-text.ts";

const HEIGHT_PX = 28;
const BAR_PX = 8;
const DAY_MS = 86_400_000;
/** More labels would touch each other. */
const MAX_TICKS = 7;

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Bars of opportunities along time, one lane for each satellite. The list says the same in words. */
export function OpportunityStrip({ list, marked }: { readonly list: readonly Opportunity[]; readonly marked: Marked }) {
  const times = list.map(({ startTime }) => timeMs(startTime));
  const span = {
    fromMs: Math.floor(Math.min(...times) / DAY_MS) * DAY_MS,
    toMs: Math.ceil((Math.max(...times) + 1) / DAY_MS) * DAY_MS,
  };
  const satellites = [...new Set(list.map(({ satellite }) => satellite))].toSorted();
  return (
    <section class="strip" aria-label={text.chart} tabIndex={0}>
      <header>
        <h2>{`${formatDay(isoOf(span.fromMs))} – ${formatDay(isoOf(span.toMs - 1))}`}</h2>
        <span class="spring" />
        <span class="hint wide-only">{text.chartLegend}</span>
      </header>
      <div class="lanes" aria-hidden="true">
        <div class="lane">
          <span />
          <svg height="18">
            {ticks(span).map((tickMs) => (
              <text key={tickMs} x={percent(tickMs, span)} y="13">
                {formatDay(isoOf(tickMs)).slice(0, -5)}
              </text>
            ))}
          </svg>
        </div>
        {satellites.map((satellite) => (
          <div key={satellite} class="lane">
            <span>{satellite}</span>
            <svg height={HEIGHT_PX}>
              {ticks(span).map((tickMs) => (
                <line key={tickMs} x1={percent(tickMs, span)} x2={percent(tickMs, span)} y1="0" y2={HEIGHT_PX} />
              ))}
              {list
                .filter((one) => one.satellite === satellite)
                .map((one) => (
                  <Bar key={one.windowId} opportunity={one} span={span} marked={marked} />
                ))}
            </svg>
          </div>
        ))}
      </div>
    </section>
  );
}

function Bar(props: { readonly opportunity: Opportunity; readonly span: Span; readonly marked: Marked }) {
  const { opportunity, span, marked } = props;
  const { windowId, startTime, cloudProbability } = opportunity;
  const height = 6 + (HEIGHT_PX - 8) * cloudProbability;
  const mark = marked.selected === windowId ? "selected" : marked.hovered === windowId ? "hovered" : "";
  return (
    <rect
      class={`pass ${mark}`}
      x={percent(timeMs(startTime), span)}
      y={HEIGHT_PX - height}
      width={BAR_PX}
      height={height}
      rx="2"
      data-window={windowId}
      onPointerEnter={() => marked.hover(windowId)}
      onPointerLeave={() => marked.hover(null)}
      onClick={() => marked.select(windowId)}
    />
  );
}

function percent(ms: number, { fromMs, toMs }: Span): string {
  return `${(100 * (ms - fromMs)) / (toMs - fromMs)}%`;
}

/** Midnights, so few that their labels do not touch. */
function ticks({ fromMs, toMs }: Span): readonly number[] {
  const step = Math.ceil((toMs - fromMs) / DAY_MS / MAX_TICKS) * DAY_MS;
  return Array.from({ length: Math.ceil((toMs - fromMs) / step) }, (_, position) => fromMs + position * step);
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
