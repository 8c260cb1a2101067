import { useState } from "preact/hooks";
import { formatDay, formatTime } from "../format/dates.ts";
import { layerName } from "../maps/layer-name.ts";
import type { Layer } from "../maps/layers.ts";
import { useConsole } from "../use-console.ts";
import { CopyField } from "./copy-field.tsx";
import { LifetimeField, USUAL_LIFETIME_S } from "./lifetime-field.tsx";
import { linkAddresses } from "./link-addresses.ts";
import { shareText } from "./share-text.ts";

interface MadeLink {
  readonly mapId: string;
  readonly fileName: string;
  readonly expiresAt: string;
  readonly geotiffName: string | null;
  readonly zoom: number;
}

/** Makes a link to one map, and shows its addresses. */
export function MakeLink({ maps, onMade }: { readonly maps: readonly Layer[]; readonly onMade: () => void }) {
  const { calls, attempt } = useConsole();
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [seconds, setSeconds] = useState(USUAL_LIFETIME_S);
  const [name, setName] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [made, setMade] = useState<MadeLink | null>(null);
  const chosen = maps.find(({ mapId }) => mapId === chosenId) ?? maps[0];
  if (chosen === undefined) return null;
  const make = async (): Promise<void> => {
    const { mapId, mapType, fileName, facts } = chosen;
    const named = name.trim() === "" ? {} : { name: name.trim() };
    const link = await calls.call("/mapsvc/link/create", { mapId, expiresInSeconds: seconds, ...named });
    const listed = await calls.call("/mapsvc/map-types/list").catch(() => []);
    const geotiffName = listed.find((one) => one.mapType === mapType)?.gridFiles["geotiff"]?.[0] ?? null;
    const [zoom = 0] = facts === null || facts === "failed" ? [] : (facts.tiles[0] ?? []);
    setMade({ mapId: link.mapId, expiresAt: link.expiresAt, fileName, geotiffName, zoom });
    onMade();
  };
  return (
    <>
      <form
        class="share-form"
        onSubmit={(event) => {
          event.preventDefault();
          setBusy(true);
          attempt(() => make().finally(() => setBusy(false)));
        }}
      >
        <p class="hint">{shareText.about}</p>
        <label>
          <span class="label">{shareText.map}</span>
          <select value={chosen.mapId} onChange={(event) => setChosenId(event.currentTarget.value)}>
            {maps.map((map) => (
              <option key={map.mapId} value={map.mapId}>
                {layerName(map)}
              </option>
            ))}
          </select>
        </label>
        <LifetimeField seconds={seconds} onChange={setSeconds} />
        <label>
          <span class="label">{shareText.name}</span>
          <input type="text" maxLength={100} value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <button type="submit" class="button primary" disabled={isBusy}>
          {shareText.make}
        </button>
      </form>
      {made !== null && <Addresses link={made} />}
    </>
  );
}

function Addresses({ link }: { readonly link: MadeLink }) {
  const { page, frame, tiles, tileJson, wmts, geotiff } = linkAddresses(location.origin, link, link.geotiffName);
  return (
    <div class="addresses">
      <p role="status">{shareText.until(formatDay(link.expiresAt), formatTime(link.expiresAt))}</p>
      <CopyField name={shareText.page} value={page} />
      <CopyField name={shareText.embed} value={frame} />
      <CopyField name={shareText.tiles} value={tiles} />
      <CopyField name={shareText.tileJson} value={tileJson} />
      <CopyField name={shareText.wmts} value={wmts} />
      {geotiff !== null && <CopyField name={shareText.geotiff} value={geotiff} />}
      <details>
        <summary>{shareText.qgis}</summary>
        <p>{shareText.qgisTiles(link.zoom)}</p>
        {geotiff !== null && <p>{shareText.qgisGeotiff}</p>}
      </details>
    </div>
  );
}
