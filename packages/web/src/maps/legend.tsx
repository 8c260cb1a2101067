import { formatValue } from "../format/numbers.ts";
import { text } from "../text/en.ts";
import { isMarked, markColour, PATTERN_PX } from "./class-pattern.ts";
import type { MapFacts } from "./layer.ts";

const WIDTH = 256;
const HEIGHT = 36;
/** Two repeats of a pattern across and down. */
const SAMPLE_PX = 2 * PATTERN_PX;
const SAMPLE = `0 0 ${SAMPLE_PX} ${SAMPLE_PX}`;

/** Classes with their colours, or the histogram of an index. */
export function Legend(props: {
  readonly name: string;
  readonly facts: Pick<MapFacts, "colours" | "histogram">;
  /** Values between which colours change; those outside are drawn paler. */
  readonly limits?: readonly [low: number, high: number] | null;
  readonly hasPatterns?: boolean;
}) {
  const { name, facts, limits = null, hasPatterns = false } = props;
  const classes = Object.entries(facts.colours);
  if (classes.length > 0) {
    return (
      <ul class="classes">
        {classes.map(([label, colour], position) => (
          <li key={label}>
            <svg class={hasPatterns ? "patterned" : undefined} viewBox={SAMPLE} aria-hidden="true">
              <rect width="100%" height="100%" fill={`rgb(${colour.join(" ")})`} />
              {hasPatterns && <path d={patternPath(position)} fill={`rgb(${markColour(colour).join(" ")})`} />}
            </svg>{" "}
            {label}
          </li>
        ))}
      </ul>
    );
  }
  const { histogram } = facts;
  if (histogram === null || histogram.counts.length === 0) return null;
  const { min, max, counts } = histogram;
  const most = Math.max(...counts, 1);
  const step = WIDTH / counts.length;
  return (
    <div>
      <svg class="histogram" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={text.maps.histogram(name)}>
        {counts.map((count, bin) => {
          const height = (count / most) * HEIGHT;
          const value = min + ((bin + 0.5) / counts.length) * (max - min);
          const isOutside = limits !== null && (value < limits[0] || value > limits[1]);
          return (
            <rect
              key={bin}
              class={isOutside ? "outside" : undefined}
              x={bin * step}
              y={HEIGHT - height}
              width={Math.max(0.5, step - 0.5)}
              height={height}
            />
          );
        })}
      </svg>
      <div class="ticks">
        <span>{formatValue(min)}</span>
        <span>{formatValue(max)}</span>
      </div>
    </div>
  );
}

/** The marked pixels of a sample. */
function patternPath(position: number): string {
  return Array.from({ length: SAMPLE_PX ** 2 }, (_, at) => [at % SAMPLE_PX, Math.floor(at / SAMPLE_PX)] as const)
    .filter(([x, y]) => isMarked(position, x, y))
    .map(([x, y]) => `M${x} ${y}h1v1h-1z`)
    .join("");
}
