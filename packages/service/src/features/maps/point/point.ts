import { refuse } from "../statistics/refuse.ts";
import type { PointAnswer, PointRequest } from "@swath/contract/features/maps/point-contract";
import type { GridRenderer, GridRequest } from "@swath/maps/render/grid-renderer";
import { nativeBand } from "@swath/maps/render/native-grid";
import { nativePixel } from "@swath/maps/render/native-pixel";
import type { PixelValues } from "@swath/maps/render/point-values";
import type { LoadedMap, MapLoader } from "../grid-files/load-map.ts";
import { rasterOf } from "../native-pixels.ts";
import type { MapIdSigner } from "../signed-map-id.ts";

export interface PointDeps {
  readonly signer: Pick<MapIdSigner, "verify">;
  readonly loadMap: MapLoader;
  readonly renderer: Pick<GridRenderer, "render">;
}

type AnsweredPoint = PointAnswer["points"][number];

/**
 * All values of a map at coordinates, read together on a thread of the renderer.
 *
 * @throws {ServiceError} INVALID-MAP-ID
 */
export async function pointsOfMap(
  { signer, loadMap, renderer }: PointDeps,
  { mapId, points, resolution }: PointRequest,
  signal: AbortSignal,
): Promise<PointAnswer> {
  const claims = await signer.verify(mapId);
  const loaded = await loadMap(claims, "-");
  if (loaded.mosaic != null) refuse("/mapId", "is of a mosaic, which has the grids of several scenes: ask these");
  const { scene } = loaded.stored;
  const raster = rasterOf(loaded);
  const position = nativeBand(loaded.mapType.rendering, raster, scene);
  const pixels = points.map((point) => nativePixel(raster, position, point, resolution ?? null));
  const values = await valuesOf(
    loaded,
    pixels.flatMap((pixel) => pixel?.window ?? []),
    renderer,
    signal,
  );
  const read = values[Symbol.iterator]();
  return {
    mapType: loaded.mapType.id,
    sceneId: scene.sceneId,
    datetime: scene.datetime,
    points: points.map((point, i) => {
      const pixel = pixels[i] ?? null;
      return answerOf(point, pixel?.resolutionM ?? null, pixel === null ? null : (read.next().value ?? null));
    }),
  };
}

async function valuesOf(
  { map, mapType, stored, clip, result }: LoadedMap,
  pixels: NonNullable<GridRequest["pixels"]>,
  renderer: Pick<GridRenderer, "render">,
  signal: AbortSignal,
): Promise<readonly PixelValues[]> {
  const [window] = pixels;
  if (window === undefined) return [];
  const file = await renderer.render(
    {
      mapType: map.mapType,
      version: map.version,
      rendering: mapType.rendering,
      mapId: map.mapId,
      scene: stored.scene,
      raster: rasterOf({ result, stored }),
      window,
      pixels,
      clip,
      fileName: "values",
      percentileStretch: false,
      userThreshold: null,
      forceDownload: false,
    },
    signal,
  );
  if (file.kind !== "file") throw new TypeError(`the renderer answered ${file.kind} for single pixels`);
  return JSON.parse(new TextDecoder().decode(file.body));
}

function answerOf(point: AnsweredPoint["point"], resolutionM: number | null, values: PixelValues): AnsweredPoint {
  if (values === null) return { point, resolutionM: null, values: null, reason: "outside-map" };
  return {
    point,
    resolutionM: resolutionM === null ? null : Number(resolutionM.toPrecision(6)),
    values: values.map((value) => ({ ...value, valid: value.value !== null })),
    reason: values.some(({ value }) => value !== null) ? null : "no-data",
  };
}
