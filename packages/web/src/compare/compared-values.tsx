import { formatValue } from "../format/numbers.ts";
import type { LayerValues } from "../maps/inspector.ts";
import { text } from "../text/en.ts";
import { compareText } from "./compare-text.ts";
import type { ComparedIds } from "./compared-ids.ts";
import { SideBadge } from "./side-badge.tsx";
import { valuePairs, type ValuePair } from "./value-pairs.ts";

/** The values of both maps at the clicked position, and their difference. */
export function ComparedValues(props: { readonly pair: ComparedIds; readonly layers: readonly LayerValues[] }) {
  const pairs = valuePairs(props.pair, props.layers);
  if (pairs.length === 0) return <p class="panel-body">{text.inspector.outside}</p>;
  return (
    <div class="compared-values" aria-live="polite">
      <table class="table" aria-label={compareText.values}>
        <thead>
          <tr>
            <th>{compareText.value}</th>
            <th class="number">
              <SideBadge side="a" />
            </th>
            <th class="number">
              <SideBadge side="b" />
            </th>
            <th class="number">{compareText.difference}</th>
          </tr>
        </thead>
        <tbody>
          {pairs.map(({ name, unit, a, b, difference }) => (
            <tr key={name}>
              <th scope="row">{unit === null ? name : `${name}, ${unit}`}</th>
              <td class="number">{written(a)}</td>
              <td class="number">{written(b)}</td>
              <td class="number">{difference === null ? compareText.none : formatValue(difference)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function written(value: ValuePair["a"]): string {
  if (value === null) return compareText.none;
  if (typeof value.className === "string") return value.className;
  return value.valid && value.value !== null ? formatValue(value.value) : text.inspector.invalid;
}
