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

/** The refusal of a scene whose pixels hide what a map type looks for. */
export function tooCoarse(mapType: string, { scene }: PlannedScene, pixelM: number, maxPixelM: number): Refusal {
  return {
    accepted: false,
    errorCode: "GSD-TOO-COARSE",
    errorMessage: `${mapType} needs pixels of at most ${maxPixelM} m; scene ${scene.sceneId} has ${pixelM.toFixed(2)} m`,
  };
}
