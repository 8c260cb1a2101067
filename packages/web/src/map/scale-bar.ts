/** Circumference of the sphere of EPSG:3857, metres. */
const EQUATOR_M = 2 * Math.PI * 6_378_137;
/** Pixels of the world at zoom 0. */
const WORLD_PX = 256;
const MAX_WIDTH_PX = 120;

export interface ScaleBar {
  readonly metres: number;
  readonly widthPx: number;
}

/** The longest round length that 120 pixels at the centre of the map hold: 1, 2 or 5 times a power of ten. */
export function scaleBar({ latitude, zoom }: { readonly latitude: number; readonly zoom: number }): ScaleBar {
  const metresPerPixel = (EQUATOR_M * Math.cos((latitude * Math.PI) / 180)) / (WORLD_PX * 2 ** zoom);
  const most = metresPerPixel * MAX_WIDTH_PX;
  const power = 10 ** Math.floor(Math.log10(most));
  const metres = power * ([5, 2].find((factor) => factor * power <= most) ?? 1);
  return { metres, widthPx: metres / metresPerPixel };
}
