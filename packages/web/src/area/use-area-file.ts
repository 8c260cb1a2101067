import { boxOfGeometry } from "../find/area-rings.ts";
import { useConsole } from "../use-console.ts";
import type { FileArea } from "./area-of-geometries.ts";
import { areaText } from "./area-text.ts";

export interface TakesArea {
  readonly takeFile: (file: File) => void;
  readonly takeText: (pasted: string) => void;
}

/** Takes the area of a file or of a pasted text; its code is loaded with the first one. */
export function useAreaFile(onNote: (note: string) => void): TakesArea {
  const { setArea, map, attempt } = useConsole();
  const take = async ({ area, isBox }: FileArea): Promise<void> => {
    map.fit(boxOfGeometry(area));
    await setArea(area);
    onNote(isBox ? areaText.box : "");
  };
  return {
    takeFile: (file) => attempt(async () => take(await (await import("./read-area.ts")).readAreaFile(file))),
    takeText: (pasted) => attempt(async () => take(await (await import("./read-area.ts")).readAreaText(pasted))),
  };
}
