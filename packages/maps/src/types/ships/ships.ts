import type { BlockAlgorithm } from "../../analysis/block.ts";
import { withoutFalsePartners } from "./radar/false-partners.ts";
import {
  computeOptical,
  surveyOptical,
  type OpticalShipModel,
  type OpticalShipParameters,
} from "./optical/optical-ships.ts";
import { isIcy } from "./radar/sea-ice.ts";
import { computeRadar, surveyRadar, type RadarShipModel, type RadarShipParameters } from "./radar/radar-ships.ts";

/** Parameters of a radar search: the parameters of the detector, and the geometry of false partners of ships. */
export interface RadarSearchParameters extends RadarShipParameters {
  readonly flightDeg: readonly number[];
  readonly ambiguityM: readonly number[];
  readonly sizeM: readonly [right: number, down: number];
}

export type ShipParameters = RadarSearchParameters | OpticalShipParameters;

export type ShipModel =
  | { readonly mode: "radar"; readonly radar: RadarShipModel }
  | { readonly mode: "optical"; readonly optical: OpticalShipModel };

/** Reach of everything a pixel depends on: two rings, half a ship, and the windows of the land mask. */
export const SHIPS_MARGIN_PX = 224;

/** Ships at sea, by radar or by sight as `parameters.mode` says; planes: power of each polarisation, or B, G, R, N. */
export const ships: BlockAlgorithm<ShipParameters, ShipModel> = {
  survey(survey, parameters) {
    return parameters.mode === "radar"
      ? { mode: "radar", radar: surveyRadar(survey, parameters) }
      : { mode: "optical", optical: surveyOptical(survey, parameters) };
  },
  compute(block, model, parameters) {
    if (model.mode === "radar" && parameters.mode === "radar") return computeRadar(block, model.radar, parameters);
    if (model.mode === "optical" && parameters.mode === "optical") {
      return computeOptical(block, model.optical, parameters);
    }
    throw new RangeError(`a model for ${model.mode} images does not fit parameters for ${parameters.mode} ones`);
  },
  finish(objects, model, parameters) {
    return parameters.mode === "radar" && model.mode === "radar"
      ? withoutFalsePartners(objects, model.radar.bright, parameters)
      : objects;
  },
  describe(model) {
    if (model.mode === "optical") return { mode: "optical", seaSpread: model.optical.sea.spreads };
    const { looks, landShows, thresholds, iceShare } = model.radar;
    return {
      mode: "radar",
      looks,
      landShows,
      falseAlarmRate: thresholds.pfa,
      thresholdWithoutTexture: thresholds.multiples[0]!,
      seaIceShare: Math.round(iceShare * 1000) / 1000,
      ...(isIcy(iceShare)
        ? {
            note: "no ships were looked for: the clutter of most of the sea is that of ice (K-distribution, shape below 0.3)",
          }
        : {}),
    };
  },
};
