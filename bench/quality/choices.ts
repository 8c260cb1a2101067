import { SOURCES } from "./sources.ts";

/** A real scene whose pixels or labels decided a limit, a feature or a rule of a map type. */
export interface Choice {
  /** Page of `docs/map-types`, without suffix. */
  readonly page: string;
  /** `match` of one source; every scene of its place counts as seen. */
  readonly scene: string;
  readonly what: string;
}

/** Add a row with every limit that a real scene decides: no scene of that place is held out for the page any longer. */
export const CHOICES: readonly Choice[] = [
  { page: "land-cover", scene: "433D_629L_3_1", what: "limits of classes" },
  { page: "land-cover", scene: "Leipzig", what: "limits of classes" },
  { page: "land-cover", scene: "637U_59R_1_3", what: "that roughness has a limit" },
  { page: "wrunc", scene: "433D_629L_3_1", what: "the measure of towns, narrow water" },
  { page: "wrunc", scene: "637U_59R_1_3", what: "the measure of towns" },
  { page: "water", scene: "433D_629L_3_1", what: "narrow water" },
];

/** A limit that each of two scenes chose for the other: every figure is by a limit of the other scene. */
export interface CrossValidation {
  readonly page: string;
  readonly scenes: readonly [string, string];
  readonly what: string;
}

export const CROSS_VALIDATIONS: readonly CrossValidation[] = [
  {
    page: "clouds",
    scenes: ["Sentinel-2, 30 m, fields and forest", "Landsat 5, tropical forest"],
    what: "the share of ground that opaque clouds hide",
  },
];

/** Real scenes whose figures cannot refute a page: they hold none of its objects, or only its own formula is the truth. */
export const WITHOUT_LABELS: readonly { readonly page: string; readonly match: string; readonly why: string }[] = [
  { page: "burned", match: ", clear", why: "no fire in the scene" },
  { page: "clouds", match: ", clear", why: "no cloud in the scene" },
  { page: "clouds", match: "by ukis-csmask", why: "perhaps a training scene of the network; chose no rule" },
  { page: "water", match: ", no water", why: "no water in the scene" },
  { page: "wrunc", match: ", no water", why: "no water in the scene" },
  { page: "water", match: "Sentinel-2, 30 m, fields and forest", why: "labels of shadow, not of water" },
  { page: "water", match: "Landsat 5, tropical forest", why: "labels of shadow, not of water" },
  { page: "boats", match: "PlanetScope, both crops", why: "labels of ships, not of boats" },
  { page: "change", match: "NAIP North Dakota", why: "indices of each date, no labels of change" },
  { page: "segments", match: "Sentinel-2 ", why: "evenness of segments, no labels" },
  { page: "nightlight-change", match: "VIIRS Mumbai", why: "its own formula" },
  { page: "aircraft", match: "without aircraft in flight", why: "no aircraft in the scene" },
];

/** How a scene served the map types of a page. */
export type Use =
  | { readonly kind: "chosen"; readonly what: string }
  | { readonly kind: "crossed"; readonly what: string }
  | { readonly kind: "unlabelled"; readonly why: string }
  | { readonly kind: "held-out" };

function placeOf(scene: string): string {
  const source = SOURCES.find(({ match }) => match === scene);
  if (source === undefined) throw new RangeError(`got a choice on "${scene}", expected a match of sources.ts`);
  return source.place;
}

/** The use of a real scene of that place for a page; choices weigh most. */
export function useOf(page: string, data: string, place: string): Use {
  const chosen = CHOICES.find((one) => one.page === page && placesOf(place).includes(placeOf(one.scene)));
  if (chosen !== undefined) return { kind: "chosen", what: chosen.what };
  const unlabelled = WITHOUT_LABELS.find((one) => one.page === page && data.includes(one.match));
  if (unlabelled !== undefined) return { kind: "unlabelled", why: unlabelled.why };
  const crossed = CROSS_VALIDATIONS.find((one) => one.page === page && one.scenes.some((name) => data.includes(name)));
  return crossed === undefined ? { kind: "held-out" } : { kind: "crossed", what: crossed.what };
}

/** A figure over scenes of several places separates them by semicolons. */
function placesOf(place: string): readonly string[] {
  return place.split("; ");
}
