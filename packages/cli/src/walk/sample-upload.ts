import { deflateSync } from "node:zlib";
import { createProjection } from "@swath/kernel/crs/projection";
import { epsgOfUtmZone, utmProjString, utmZoneAt } from "@swath/kernel/crs/utm";
import { writeGeoTiff } from "@swath/simulator/write-geotiff";

const SIDE_PX = 256;

/** A small image around a place, as an operator would have it in hand. Equal names give equal bytes. */
export function sampleUpload(
  name: string,
  [lonDeg, latDeg]: readonly [lonDeg: number, latDeg: number],
  resolutionM: number,
  bandNames: readonly string[],
): Blob {
  const zone = utmZoneAt(lonDeg, latDeg);
  const [eastM, northM] = createProjection(utmProjString(zone)).forward(lonDeg, latDeg);
  const snap = (value: number): number => Math.round(value / resolutionM) * resolutionM;
  const half = (SIDE_PX / 2) * resolutionM;
  let state = 7;
  for (let index = 0; index < name.length; index += 1) state = (Math.imul(state, 31) + name.charCodeAt(index)) | 0;
  const chunks = writeGeoTiff(
    {
      widthPx: SIDE_PX,
      heightPx: SIDE_PX,
      resolutionM,
      epsg: epsgOfUtmZone(zone),
      originX: snap(eastM - half),
      originY: snap(northM + half),
      bandNames,
      deflate: (strip) => deflateSync(strip),
    },
    (_row, bands) => {
      for (const band of bands) {
        for (let column = 0; column < SIDE_PX; column += 1) {
          state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
          band[column] = 200 + ((state >>> 16) % 3000);
        }
      }
    },
  );
  return new Blob(chunks.map((chunk) => new Uint8Array(chunk)));
}
