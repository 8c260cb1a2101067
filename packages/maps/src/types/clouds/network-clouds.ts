import type { AnalysisBlock, BlockResult } from "../../analysis/block.ts";
import { clouds, type CloudsModel, type CloudsParameters } from "../../analysis/cloud/clouds.ts";
import { bandsWithThermal } from "../../analysis/cloud/companion-planes.ts";
import { mirroredPlane } from "../../analysis/cloud/mirrored-plane.ts";
import { networkMask } from "../../analysis/cloud/network-mask.ts";
import { bandPosition } from "../../models/band-position.ts";
import { runModel, type Infer } from "../../models/run-model.ts";

/**
 * The mask of a network with the rules on top.
 *
 * @throws {ModelOutputError} when the output of the network is not what its manifest says
 */
export async function networkClouds(
  block: AnalysisBlock,
  infer: Infer,
  parameters: CloudsParameters,
  model: CloudsModel,
): Promise<BlockResult> {
  const { gridColumns, gridRows, manifest, roles } = parameters;
  if (manifest === undefined || model.clouds === null) return clouds.compute(block, model, parameters);
  const planes = manifest.bands.map((band) => {
    const plane = withoutOffset(block.scenes[0]![bandPosition(band, roles)!]!, model.offset);
    return mirroredPlane(plane, block.rect, gridColumns, gridRows);
  });
  const { layers } = await runModel({ ...block, scenes: [planes] }, infer, { manifest, ranges: [] });
  const [network] = layers;
  if (!(network instanceof Uint8Array)) throw new TypeError(`${manifest.id} gives no classes`);
  const bands = bandsWithThermal(block, parameters, model.offset);
  return { layers: [networkMask(network, bands, model.clouds, block.rect)], objects: [] };
}

function withoutOffset(plane: Float32Array, offset: number): Float32Array {
  return offset === 0 ? plane : plane.map((value) => value - offset);
}
