import { useState } from "preact/hooks";
import { text } from "../text/en.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { useConsole } from "../use-console.ts";
import { areaTextKind } from "../area/area-file-kind.ts";
import { areaText } from "../area/area-text.ts";
import { useAreaFile } from "../area/use-area-file.ts";
import { Icon } from "../ui/icon.tsx";
import { boxGeometry, boxOfGeometry, parseCorners } from "./area-rings.ts";

/** The area by its corners, by the view or by a drawing: drawing has a numeric alternative. */
export function AreaField() {
  const { area, setArea, map, attempt } = useConsole();
  const [isWrong, setWrong] = useState(false);
  const [note, setNote] = useState("");
  const { takeFile, takeText } = useAreaFile(setNote);
  const { value } = area;
  const box = value === null ? null : boxOfGeometry(value);
  const written = box === null ? "" : `${box.west}, ${box.south}, ${box.east}, ${box.north}`;
  const read = (corners: string): void => {
    if (corners === written) return;
    setNote("");
    if (areaTextKind(corners) !== null) return takeText(corners);
    const parsed = parseCorners(corners);
    setWrong(parsed === null && corners !== "");
    if (corners === "") attempt(() => setArea(null));
    if (parsed === null) return;
    map.fit(parsed);
    attempt(() => setArea(boxGeometry(parsed)));
  };
  return (
    <div>
      <label class="label" for="area">
        <span>{text.find.area}</span>
      </label>
      <div class="row">
        <input
          id="area"
          class="spring"
          type="text"
          autocomplete="off"
          placeholder={text.find.coordinates}
          title={text.find.coordinates}
          aria-invalid={isWrong}
          value={written}
          onChange={(event) => read(event.currentTarget.value)}
        />
        <label class="icon-button" title={areaText.file}>
          <Icon name="upload" />
          <span class="unseen">{areaText.file}</span>
          <input
            type="file"
            class="unseen"
            accept=".geojson,.json,.kml,.kmz,.gpx,.wkt,.zip,.shz"
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? [];
              if (file !== undefined) takeFile(file);
              // The same file may be chosen again.
              event.currentTarget.value = "";
            }}
          />
        </label>
        <IconButton icon="view" label={text.find.view} onClick={() => attempt(() => setArea(boxGeometry(map.box())))} />
        {box !== null && (
          <IconButton icon="close" label={text.find.clear} onClick={() => attempt(() => setArea(null))} />
        )}
      </div>
      {note !== "" && (
        <p class="hint" role="status">
          {note}
        </p>
      )}
      {box === null && <p class="hint">{text.find.noArea}</p>}
    </div>
  );
}
