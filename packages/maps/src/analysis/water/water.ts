import type { BlockAlgorithm, Parameters } from "../block.ts";

/** What either of two algorithms has learnt. */
export type WaterModel<Optical, Radar> =
  | { readonly sensor: "optical"; readonly model: Optical }
  | { readonly sensor: "radar"; readonly model: Radar };

function isRadar(parameters: Parameters): boolean {
  return parameters["sensor"] === "radar";
}

/** An algorithm that always looks at the whole scene first. */
export type SurveyedAlgorithm<Model> = BlockAlgorithm<Model> & Required<Pick<BlockAlgorithm<Model>, "survey">>;

/** One algorithm of two: `parameters.sensor` says which. */
export function waterOf<Optical, Radar>(
  optical: SurveyedAlgorithm<Optical>,
  radar: SurveyedAlgorithm<Radar>,
): BlockAlgorithm<WaterModel<Optical, Radar>> {
  return {
    survey: (survey, parameters) =>
      isRadar(parameters)
        ? { sensor: "radar", model: radar.survey(survey, parameters) }
        : { sensor: "optical", model: optical.survey(survey, parameters) },
    compute: (block, learnt, parameters) =>
      learnt.sensor === "radar"
        ? radar.compute(block, learnt.model, parameters)
        : optical.compute(block, learnt.model, parameters),
    describe: (learnt) => ({
      sensor: learnt.sensor,
      ...(learnt.sensor === "radar" ? radar.describe?.(learnt.model) : optical.describe?.(learnt.model)),
    }),
  };
}
