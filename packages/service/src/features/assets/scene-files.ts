import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";

/** A COG of a scene in the store. */
export interface SceneFile {
  /** Unique in the scene: the key of the asset, and the file name without its extension. */
  readonly name: string;
  /** Key of the blob. */
  readonly key: string;
  /** Place of the band among the bands of the scene; of a mask, of the first band that it belongs to. */
  readonly band: number;
  readonly isMask: boolean;
}

const LONGEST_NAME = 50;

/**
 * The files of a scene by the names of its bands, and the masks that bands without a nodata value share. Empty for a
 * scene of which only parts are in the store.
 */
export function sceneFiles({ bands }: Pick<Scene, "bands">, raster: StoredRaster): readonly SceneFile[] {
  if (raster.tiles !== undefined) return [];
  const masks = new Map<string, number>();
  for (const [band, { maskKey }] of raster.bands.entries()) {
    if (maskKey !== null && !masks.has(maskKey)) masks.set(maskKey, band);
  }
  const files = [
    ...raster.bands.map(({ key }, band) => ({ key, band, isMask: false })),
    ...[...masks].map(([key, band]) => ({ key, band, isMask: true })),
  ];
  const bandNames = raster.bands.map((_, band) => bands[band]?.names[0] ?? null);
  const names = sceneFileNames(bandNames, masks.size);
  return files.map((file, index) => ({ ...file, name: names[index] ?? "" }));
}

/** The names of the files of a scene: of its bands, then of its masks. */
export function sceneFileNames(bandNames: readonly (string | null)[], masks: number): readonly string[] {
  const taken = new Set<string>();
  const wanted = [...bandNames.map(nameOf), ...Array.from({ length: masks }, () => "mask")];
  return wanted.map((name) => unused(name, taken));
}

function nameOf(text: string | null): string {
  const name = (text ?? "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST_NAME)
    .replaceAll(/^-|-$/g, "");
  return name === "" ? "band" : name;
}

function unused(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}-${number}`;
  taken.add(free);
  return free;
}
