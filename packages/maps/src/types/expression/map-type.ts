import { indexBands } from "@swath/kernel/bands/index-bands";
import type { Scene } from "@swath/kernel/scenes/scene";
import { didYouMean } from "@swath/kernel/text/did-you-mean";
import type { MapTypeDescriptor } from "../../map-type.ts";
import { unsupported, type Refusal } from "../../planning/refusals.ts";
import { spectralIndexMapType } from "../spectral-index/map-type.ts";
import { EXPRESSION_PREFIX, readExpression, type Expression } from "./read-expression.ts";

/** Names its files, its permission and its price. */
const FAMILY = "expression";

/** Longer formulas are named by the family in captions. */
const MAX_CAPTION = 40;

/** Meaning of an id of the form `expression:<formula>`, or its fault; null for ids of another form. */
export type ReadExpression = { readonly mapType: MapTypeDescriptor } | { readonly fault: string };

/**
 * The map type of an own formula: an index of the bands that it names. Its permission is
 * `algorithms.expression.<provider>.<dataset>`, its price the price of `expression`, whatever the formula.
 */
export function expressionMapType(id: string): ReadExpression | null {
  try {
    const expression = readExpression(id);
    return expression === null ? null : { mapType: describe(id, expression) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { fault: `${EXPRESSION_PREFIX} ${error.message}` };
  }
}

function describe(id: string, { formula, names, ramp, range, canonicalId }: Expression): MapTypeDescriptor {
  const caption = formula.length > MAX_CAPTION ? FAMILY : formula;
  const base = spectralIndexMapType({
    id: FAMILY,
    shortName: caption,
    longName: caption === FAMILY ? "Own formula" : `Own formula ${caption}`,
    formula,
    domain: "own",
    reference: "own formula",
    roles: [],
    parameters: {},
    kernels: [],
    bandNames: names,
  });
  if (base.rendering.kind !== "index") throw new TypeError("an index is drawn as an index");
  return {
    ...base,
    id,
    keptAs: canonicalId,
    pricedAs: FAMILY,
    description: `own formula ${formula}`,
    datasetTypes: ["optical", "sar-grd"],
    rendering: { ...base.rendering, algorithm: FAMILY, ramp, range },
    accepts: (scene, roles) => {
      const bands = scene.bands.map((band, i) => ({ names: band.names, role: roles[i] ?? null }));
      const [missing] = indexBands({ roles: [], bandNames: names }, bands).missing;
      return missing === undefined ? { accepted: true } : lacksName(missing, scene);
    },
  };
}

function lacksName(name: string, { sceneId, bands }: Scene): Refusal {
  const known = bands.map(({ names }) => (names.length > 1 ? `${names.at(-1)} (${names[0]})` : (names[0] ?? "")));
  const hint = didYouMean(
    name,
    bands.flatMap(({ names }) => names),
  );
  return unsupported(`scene ${sceneId} has no band "${name}"${hint}; its bands are ${known.join(", ")}`);
}
