import type { MapView } from "../console-state.ts";
import { formatKilometres, formatMetres } from "../format/numbers.ts";
import { scaleBar } from "./scale-bar.ts";

/** A round length at the centre of the map. */
export function Scale({ view }: { readonly view: MapView | null }) {
  if (view === null) return null;
  const { metres, widthPx } = scaleBar(view);
  return (
    <p class="scale">
      {metres >= 1_000 ? formatKilometres(metres / 1_000) : formatMetres(metres)}
      <svg width={widthPx} height="6" aria-hidden="true">
        <path d={`M0.75 0V5.25H${widthPx - 0.75}V0`} />
      </svg>
    </p>
  );
}
