import type { PlannedScene } from "./planned-scene.ts";

/** Reason why scenes do not suit a map type, with the received and the expected value. */
export interface Refusal {
  readonly accepted: false;
  readonly errorCode: "UNSUPPORTED-IMAGERY" | "GSD-TOO-COARSE";
  readonly errorMessage: string;
}

export function unsupported(errorMessage: string): Refusal {
  return { accepted: false, errorCode: "UNSUPPORTED-IMAGERY", errorMessage };
}

/** The refusal of a scene without all the bands that a map type needs. */
export function lacksBands(
  mapType: string,
  { scene }: Pick<PlannedScene, "scene">,
  needed: readonly string[],
  missing: readonly string[],
): Refusal {
  return unsupported(
    `${mapType} needs the bands ${needed.join(", ")}; scene ${scene.sceneId} lacks ${missing.join(", ")}`,
  );
}

/** The refusal of a scene that has none of the bands of which a map type needs one. */
export function lacksOneOf(mapType: string, { scene }: PlannedScene, needed: readonly string[]): Refusal {
  const got = scene.bands.map(({ names }) => names[0] ?? "an unnamed one").join(", ");
  return unsupported(`${mapType} needs the band ${needed.join(" or ")}; scene ${scene.sceneId} has ${got}`);
}

/**
 * The refusal of radar bands of 8 bits, null without one. Such pictures are stretched: their values are neither power nor
 * decibels, and statistics of speckle and levels of water do not hold for them.
 */
export function pictureOfRadar(
  mapType: string,
  scenes: readonly PlannedScene[],
  positionsOf: (scene: PlannedScene) => readonly number[],
): Refusal | null {
  for (const planned of scenes) {
    const { scene, raster } = planned;
    const position = positionsOf(planned).find((at) => raster.bands[at]?.dataType === "uint8");
    if (position === undefined) continue;
    const name = scene.bands[position]?.names[0] ?? "an unnamed one";
    return unsupported(
      `${mapType} needs backscatter as power or decibels of 16 bits or floating point; band ${name} of scene ${scene.sceneId} is an 8-bit picture of unknown scale`,
    );
  }
  return null;
}

/** The refusal of a scene whose pixels hide what a map type looks for. */
export function tooCoarse(mapType: string, { scene }: PlannedScene, pixelM: number, maxPixelM: number): Refusal {
  return {
    accepted: false,
    errorCode: "GSD-TOO-COARSE",
    errorMessage: `${mapType} needs pixels of at most ${maxPixelM} m; scene ${scene.sceneId} has ${pixelM.toFixed(2)} m`,
  };
}
