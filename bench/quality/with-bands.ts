import type { StoredScene } from "@swath/kernel/scenes/stored-scene";

/** The scene as a sensor with only some of its bands would have given it, by their positions from 0. */
export function withBands({ raster, scene, ...stored }: StoredScene, isLeft: (index: number) => boolean): StoredScene {
  const left = <Band>(bands: readonly Band[]): Band[] => bands.filter((_, index) => isLeft(index));
  return { ...stored, scene: { ...scene, bands: left(scene.bands) }, raster: { ...raster, bands: left(raster.bands) } };
}
