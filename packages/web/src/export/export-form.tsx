import { useEffect, useState } from "preact/hooks";
import type { Layer } from "../maps/layers.ts";
import { useConsole } from "../use-console.ts";
import { exportFormats, type ExportFormat, type Exportable } from "./export-formats.ts";
import { formatBytes } from "../format/bytes.ts";
import { formatCount } from "../format/numbers.ts";
import { layerName } from "../maps/layer-name.ts";
import { fileSize } from "./file-size.ts";
import { exportText } from "./export-text.ts";
import { startExport } from "./start-export.ts";

/** The file to make of a map: only formats that exist for it are offered. */
export function ExportForm(props: {
  readonly map: Layer;
  readonly maps: readonly Layer[];
  readonly onStarted: (pipelineId: string) => void;
}) {
  const { calls, tasks, rights, area, open, attempt } = useConsole();
  const { map, maps, onStarted } = props;
  const gridFiles = useGridFiles(map.mapType);
  const [wanted, setFormat] = useState<ExportFormat | null>(null);
  const [heading, setHeading] = useState("");
  const [isBusy, setBusy] = useState(false);
  const facts = map.facts === "failed" ? null : map.facts;
  const mapIdsOfType = maps.filter(({ mapType }) => mapType === map.mapType).map(({ mapId }) => mapId);
  const sceneId = facts?.sceneId ?? null;
  const formats =
    gridFiles === undefined
      ? []
      : exportFormats(
          { gridFiles, mapsOfType: mapIdsOfType.length, hasScene: sceneId !== null, hasArea: area.value !== null },
          rights.value,
        );
  const format = formats.find((one) => one === wanted) ?? formats[0];
  const size = format === undefined || facts === null ? null : fileSize(facts, format);
  const start = async (): Promise<void> => {
    if (format === undefined) return;
    const shownMapIds = maps.filter(({ isShown }) => isShown).map(({ mapId }) => mapId);
    const order = { format, mapId: map.mapId, sceneId, shownMapIds, mapIdsOfType, area: area.value, heading };
    onStarted(await startExport(calls, order));
    tasks.look();
  };
  return (
    <form
      class="share-form"
      onSubmit={(event) => {
        event.preventDefault();
        setBusy(true);
        attempt(() => start().finally(() => setBusy(false)));
      }}
    >
      <label>
        <span class="label">{exportText.map}</span>
        <select value={map.mapId} onChange={(event) => open("export", event.currentTarget.value)}>
          {maps.map((one) => (
            <option key={one.mapId} value={one.mapId}>
              {layerName(one)}
            </option>
          ))}
        </select>
      </label>
      {gridFiles === undefined && <div class="skeleton" role="status" aria-label={exportText.loading} />}
      <FormatField formats={formats} chosen={format} onChange={setFormat} />
      {gridFiles !== undefined && mapIdsOfType.length < 2 && <p class="hint">{exportText.timelapseNeeds}</p>}
      {format === "pdf" && (
        <label>
          <span class="label">{exportText.heading}</span>
          <input
            type="text"
            maxLength={200}
            value={heading}
            onInput={(event) => setHeading(event.currentTarget.value)}
          />
        </label>
      )}
      {format?.endsWith("geotiff") === true && <p class="hint">{exportText.limits.raster}</p>}
      {format === "png" && <p class="hint">{exportText.limits.picture}</p>}
      {size !== null && (
        <p class="hint">
          {exportText.size(formatCount(size.widthPx), formatCount(size.heightPx), formatBytes(size.bytes))}
        </p>
      )}
      <p class="hint">{exportText.price}</p>
      {format !== undefined && (
        <button type="submit" class="button primary" disabled={isBusy}>
          {exportText.start(exportText.formats[format]?.[0] ?? format)}
        </button>
      )}
    </form>
  );
}

function FormatField(props: {
  readonly formats: readonly ExportFormat[];
  readonly chosen: ExportFormat | undefined;
  readonly onChange: (format: ExportFormat) => void;
}) {
  return (
    <fieldset class="formats">
      <legend class="label">{exportText.format}</legend>
      {props.formats.map((format) => {
        const [name = format, about = ""] = exportText.formats[format] ?? [];
        return (
          <label key={format} class="format">
            <input
              type="radio"
              name="format"
              checked={format === props.chosen}
              onChange={() => props.onChange(format)}
            />
            <span class="facts">
              <strong>{name}</strong>
              <span>{about}</span>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}

/** Files of a map type; undefined until they are read, null for a type that is not listed. */
function useGridFiles(mapType: string): Exportable["gridFiles"] | undefined {
  const { calls } = useConsole();
  const [files, setFiles] = useState<Exportable["gridFiles"] | undefined>(undefined);
  useEffect(() => {
    calls.call("/mapsvc/map-types/list").then(
      (listed) => setFiles(listed.find((one) => one.mapType === mapType)?.gridFiles ?? null),
      () => setFiles(null),
    );
  }, [mapType]);
  return files;
}
