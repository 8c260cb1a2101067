import { formatValue } from "../format/numbers.ts";
import { text } from "../text/en.ts";
import type { MapFacts } from "./layer.ts";

const WIDTH = 256;
const HEIGHT = 36;

/** Classes with their colours, or the histogram of an index. */
export function Legend({ name, facts }: { readonly name: string; readonly facts: MapFacts }) {
  const classes = Object.entries(facts.colours);
  if (classes.length > 0) {
    return (
      <ul class="classes">
        {classes.map(([label, colour]) => (
          <li key={label}>
            <svg viewBox="0 0 10 10" aria-hidden="true">
              <rect width="10" height="10" fill={`rgb(${colour.join(" ")})`} />
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
          return (
            <rect key={bin} x={bin * step} y={HEIGHT - height} width={Math.max(0.5, step - 0.5)} height={height} />
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
