import { useState } from "preact/hooks";
import type { ShownLayer } from "../console-state.ts";
import { formatState } from "../format-state.ts";
import { formatRoute } from "../route.ts";
import { useConsole } from "../use-console.ts";
import { LifetimeField, USUAL_LIFETIME_S } from "./lifetime-field.tsx";
import { shareText } from "./share-text.ts";

/** The link to the view of the console, by the maps themselves or by links to them. */
export function ViewLink({ onMade }: { readonly onMade: () => void }) {
  const { calls, state, attempt } = useConsole();
  const [ends, setEnds] = useState(true);
  const [seconds, setSeconds] = useState(USUAL_LIFETIME_S);
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    const layers: ShownLayer[] = [];
    for (const layer of state.value.layers) {
      const { mapId } = ends
        ? await calls.call("/mapsvc/link/create", { mapId: layer.mapId, expiresInSeconds: seconds })
        : layer;
      layers.push({ ...layer, mapId });
    }
    const query = formatState({ ...state.value, layers });
    await navigator.clipboard.writeText(`${location.origin}${formatRoute({ screen: "", parts: [] })}?${query}`);
    setCopied(true);
    if (ends && layers.length > 0) onMade();
  };
  return (
    <form
      class="share-form"
      onSubmit={(event) => {
        event.preventDefault();
        attempt(copy);
      }}
    >
      <h3>{shareText.view}</h3>
      <p class="hint">{shareText.viewAbout}</p>
      {state.value.layers.length > 0 && (
        <label class="row">
          <input type="checkbox" checked={ends} onChange={(event) => setEnds(event.currentTarget.checked)} />
          <span>{shareText.viewEnds}</span>
        </label>
      )}
      {ends && state.value.layers.length > 0 && <LifetimeField seconds={seconds} onChange={setSeconds} />}
      <button type="submit" class="button">
        {shareText.copyView}
      </button>
      <p class="hint" role="status">
        {isCopied ? shareText.viewCopied : ""}
      </p>
    </form>
  );
}
