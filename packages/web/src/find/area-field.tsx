import { useState } from "preact/hooks";
import { text } from "../text/en.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { useConsole } from "../use-console.ts";
import { boxGeometry, boxOfGeometry, parseCorners } from "./area-rings.ts";

/** The area by its corners, by the view or by a drawing: drawing has a numeric alternative. */
export function AreaField() {
  const { area, setArea, map, attempt } = useConsole();
  const [isWrong, setWrong] = useState(false);
  const { value } = area;
  const box = value === null ? null : boxOfGeometry(value);
  const written = box === null ? "" : `${box.west}, ${box.south}, ${box.east}, ${box.north}`;
  const read = (corners: string): void => {
    if (corners === written) return;
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
        <IconButton icon="view" label={text.find.view} onClick={() => attempt(() => setArea(boxGeometry(map.box())))} />
        {box !== null && (
          <IconButton icon="close" label={text.find.clear} onClick={() => attempt(() => setArea(null))} />
        )}
      </div>
      {box === null && <p class="hint">{text.find.noArea}</p>}
    </div>
  );
}
