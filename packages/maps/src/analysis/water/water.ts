import type { BlockAlgorithm } from "../block.ts";
import type { OpticalParameters } from "../optical/optical-block.ts";
import type { RadarParameters } from "../radar/radar-block.ts";

/** What either of two algorithms has learnt. */
export type WaterModel<Optical, Radar> =
  | { readonly sensor: "optical"; readonly model: Optical }
  | { readonly sensor: "radar"; readonly model: Radar };

/** Parameters of either, marked. */
export type WaterParameters =
  | (OpticalParameters & { readonly sensor: "optical" })
  | (RadarParameters & { readonly sensor: "radar" });

/** An algorithm that always looks at the whole scene first. */
export type SurveyedAlgorithm<Given extends object, Model> = BlockAlgorithm<Given, Model> &
  Required<Pick<BlockAlgorithm<Given, Model>, "survey">>;

/** One algorithm of two: `parameters.sensor` says which. */
export function waterOf<Optical, Radar>(
  optical: SurveyedAlgorithm<OpticalParameters, Optical>,
  radar: SurveyedAlgorithm<RadarParameters, Radar>,
): BlockAlgorithm<WaterParameters, WaterModel<Optical, Radar>> {
  return {
    survey: (survey, parameters) =>
      parameters.sensor === "radar"
        ? { sensor: "radar", model: radar.survey(survey, parameters) }
        : { sensor: "optical", model: optical.survey(survey, parameters) },
    compute(block, learnt, parameters) {
      if (learnt.sensor === "radar" && parameters.sensor === "radar") {
        return radar.compute(block, learnt.model, parameters);
      }
      if (learnt.sensor === "optical" && parameters.sensor === "optical") {
        return optical.compute(block, learnt.model, parameters);
      }
      throw new RangeError(`a model of ${learnt.sensor} scenes does not fit parameters of ${parameters.sensor} ones`);
    },
    describe: (learnt) => ({
      sensor: learnt.sensor,
      ...(learnt.sensor === "radar" ? radar.describe?.(learnt.model) : optical.describe?.(learnt.model)),
    }),
  };
}
