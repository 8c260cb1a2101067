import type { BlockAlgorithm, Parameters } from "../block.ts";

/** What either of two algorithms has learnt. */
export type WaterModel<Optical, Radar> =
  | { readonly sensor: "optical"; readonly model: Optical }
  | { readonly sensor: "radar"; readonly model: Radar };

function isRadar(parameters: Parameters): boolean {
  return parameters["sensor"] === "radar";
}

/** One algorithm of two: `parameters.sensor` says which. Both must have a survey. */
export function waterOf<Optical, Radar>(
  optical: BlockAlgorithm<Optical>,
  radar: BlockAlgorithm<Radar>,
): BlockAlgorithm<WaterModel<Optical, Radar>> {
  const { survey: surveyOptical } = optical;
  const { survey: surveyRadar } = radar;
  if (surveyOptical === undefined || surveyRadar === undefined) throw new RangeError("both algorithms need a survey");
  return {
    survey: (survey, parameters) =>
      isRadar(parameters)
        ? { sensor: "radar", model: surveyRadar(survey, parameters) }
        : { sensor: "optical", model: surveyOptical(survey, parameters) },
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
