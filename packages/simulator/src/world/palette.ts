import type { ModelBand, SceneModel } from "../scene-model.ts";
import { ROLE_WAVELENGTH_NM } from "@swath/kernel/bands/role-wavelength";
import { channelWeights, heatingOf, MATERIALS, OPTICAL, OPTICAL_CHANNELS, RADAR, RADAR_CHANNELS } from "./spectra.ts";

/** The colours that a canvas is painted with: each channel is one band, and none knows of another. */
export interface Palette {
  /** 0 when only what covers the ground is asked for. */
  readonly channels: number;
  /** `channels` numbers per material. */
  readonly table: Float32Array;
  /** Part of the light that a shadow takes and the sky gives back, per channel. */
  readonly skyLight: Float32Array;
}

export const COVER_PALETTE: Palette = { channels: 0, table: new Float32Array(0), skyLight: new Float32Array(0) };

/** Part of a shadow that the blue sky fills, per node of the spectrum. */
const SKY_LIGHT = [0.2, 0.16, 0.08, 0, 0, 0, 0, 0] as const;

/** Whether a band measures heat. */
export function isThermal({ role }: ModelBand): boolean {
  return role === "T" || role === "T1" || role === "T2";
}

/** Whether a band is made of a colour, not of the cover of the ground alone. */
export function hasColour({ meaning }: ModelBand): boolean {
  return meaning === null || meaning.startsWith("brightness");
}

/** Colours of the materials in bands of a scene, in their order. */
export function paletteOf(model: SceneModel, bands: readonly ModelBand[]): Palette {
  const channels = bands.length;
  const table = new Float32Array(MATERIALS * channels);
  const skyLight = new Float32Array(channels);
  for (const [channel, band] of bands.entries()) {
    const colour = colourOf(model, band);
    for (let material = 0; material < MATERIALS; material += 1) table[material * channels + channel] = colour(material);
    if (model.datasetType !== "sar-grd" && model.datasetType !== "sar-slc" && !isThermal(band)) {
      const weights = channelWeights(band.role, band.wavelengthNm);
      skyLight[channel] = weights.reduce((sum, weight, node) => sum + weight * SKY_LIGHT[node]!, 0);
    }
  }
  return { channels, table, skyLight };
}

function colourOf(model: SceneModel, band: ModelBand): (material: number) => number {
  if (model.datasetType === "sar-grd" || model.datasetType === "sar-slc") {
    const cross = band.role === "VH" || band.role === "HV" ? 1 : 0;
    return (material) => RADAR[material * RADAR_CHANNELS + cross]!;
  }
  if (isThermal(band)) return heatingOf;
  const weights = channelWeights(band.role, band.wavelengthNm);
  return (material) =>
    weights.reduce((sum, weight, node) => sum + weight * OPTICAL[material * OPTICAL_CHANNELS + node]!, 0);
}

/** Middle of a band in nanometres. */
export function wavelengthOf({ role, wavelengthNm }: ModelBand): number {
  return wavelengthNm ?? (role === null ? undefined : ROLE_WAVELENGTH_NM[role]) ?? 665;
}
