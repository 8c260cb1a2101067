import { planComposite } from "@swath/kernel/raster-mathematics/composite";
import type { GridProduct, Rendering, ResultProduct } from "@swath/kernel/raster-mathematics/rendering";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { GridRequest } from "./grid-renderer.ts";
import { encodeGeoTiff } from "@swath/raster/encode/geotiff";
import { encodePngBeside, type ImageEncoding, type RgbaImage } from "@swath/raster/encode/image";
import type { PixelAccess } from "@swath/raster/sample/scene-sampler";
import { areaRings } from "./area-mask.ts";
import { zipWhenMade } from "./archive-file.ts";
import { bandsGeoTiff, drawPicture, picturesSki, warpedBands } from "./composite-file.ts";
import type { DrawnImage } from "./composite-image.ts";
import {
  binaryCoverage,
  maskedAreaM2,
  onPlane,
  startGridJob,
  startNativeJob,
  withMemo,
  type GridJob,
  type PixelJob,
} from "./grid-job.ts";
import {
  drawHeatmap,
  drawIndex,
  indexAreas,
  indexGeoTiff,
  indexMetadata,
  indexSki,
  type IndexRendering,
} from "./index-file.ts";
import { mosaicMetadata } from "./mosaic-metadata.ts";
import { classPolygons, polygonsGeoJson } from "./class-polygons.ts";
import { objectsGeoJson } from "./objects-file.ts";
import { drawClass, drawLayer, resultGeoTiff } from "./result-file.ts";
import type { ResultRendering } from "./result-layer.ts";
import { pixelValues } from "./point-values.ts";
import { pixelDigest } from "./pixel-digest.ts";
import { resultAreas, resultMetadata } from "./result-metadata.ts";
import { resultSki } from "./result-ski.ts";
import { resultShapefile } from "./shapefile-file.ts";
import { countSet, knownValues, ratio, valueStatistics } from "./value-statistics.ts";

/** A grid file of which at most the image encoding is left to do. */
export type DrawnGridFile =
  | { readonly kind: "bytes"; readonly mediaType: string; readonly body: Uint8Array | Promise<Uint8Array> }
  | { readonly kind: "image"; readonly encoding: ImageEncoding; readonly image: RgbaImage }
  | { readonly kind: "empty" }
  | { readonly kind: "outside" };

type PictureRendering = Extract<Rendering, { readonly kind: "composite" }>;

const EMPTY = { kind: "empty" } as const;

/**
 * Makes the pixels of a grid file.
 *
 * @throws {BytesNeeded} when remote bytes have to be fetched before it can be called again
 * @throws {ServiceError} VALIDATION-ERROR for a file that the grid of a raster cannot have
 */
export function drawGridFile(access: PixelAccess, request: GridRequest): DrawnGridFile {
  const { window, clip, raster, pixels } = request;
  if (pixels !== undefined) return json(pixelValues(access, request, pixels));
  if (request.digest === true) return json(pixelDigest(access, request));
  if (window.kind === "native") {
    return drawFile(startNativeJob(access, request, window, clip === null ? null : areaRings(clip, raster)));
  }
  const job = startGridJob(access, request, window);
  return job === null ? { kind: "outside" } : drawFile(job);
}

function drawFile(job: PixelJob): DrawnGridFile {
  const { request } = job;
  const { rendering } = request;
  switch (rendering.kind) {
    case "composite":
      return drawCompositeProduct(job, rendering, productOf(request, rendering.products));
    case "index":
      return drawIndexProduct(job, rendering, productOf(request, rendering.products));
    case "result":
      return drawResultProduct(job, rendering, productOf(request, rendering.products));
    default:
      return rendering satisfies never;
  }
}

function productOf<Product>({ mapType, fileName }: GridRequest, products: Readonly<Record<string, Product>>): Product {
  const product = products[fileName];
  if (product !== undefined) return product;
  throw new ServiceError(
    "TILE-NOT-FOUND",
    `map type ${mapType} has no file "${fileName}", expected one of ${Object.keys(products).join(", ")}`,
  );
}

/** A file of an analysis result. */
function drawResultProduct(job: PixelJob, rendering: ResultRendering, product: ResultProduct): DrawnGridFile {
  switch (product.kind) {
    case "class-png":
      return image(job, drawClass(job, rendering, product.layer, product.className), "png");
    case "segmentation":
    case "values":
      return image(job, drawLayer(job, rendering, product.layer), resultEncoding(product.encoding));
    case "result-ski":
      return skiFile(resultSki(onPlane(job), rendering));
    case "result-geotiff":
      return tiff(resultGeoTiff(job, rendering));
    case "result-visualization":
      return tiff(rgbaGeoTiff(job, drawLayer(withoutThreshold(job), rendering, product.layer)));
    case "result-metadata":
      return json(metadata(job, resultMetadata(onPlane(job), rendering)));
    case "result-area":
      return json(resultAreas(onPlane(job), rendering, product.layer));
    case "objects":
      return geoJson(objectsGeoJson(job.request));
    case "class-polygons":
      return geoJson(polygonsGeoJson(classPolygons(onPlane(job), rendering, product.layer)));
    case "shapefile":
      return { kind: "bytes", mediaType: "application/zip", body: resultShapefile(onPlane(job), rendering) };
    case "archive":
      return archive(onPlane(job), rendering.products);
    default:
      return product satisfies never;
  }
}

/** A threshold makes pictures and metadata.json binary, and nothing else. */
function withoutThreshold(job: PixelJob): PixelJob {
  return { ...job, request: { ...job.request, userThreshold: null } };
}

function resultEncoding(encoding: "png" | "webp"): ImageEncoding {
  return encoding === "png" ? "png" : "webp-drawing";
}

/** Every other file of the window, pictures as PNG only; those without a valid pixel are left out. */
function archive(job: GridJob, products: Readonly<Record<string, unknown>>): DrawnGridFile {
  const shared = withMemo(job);
  const entries: { readonly name: string; readonly body: Uint8Array | Promise<Uint8Array> }[] = [];
  for (const fileName of Object.keys(products).toSorted()) {
    if (fileName === job.request.fileName || fileName.endsWith(".webp")) continue;
    // Nothing that is kept lies in kernel memory.
    job.access.kernel.reset();
    const drawn = drawFile({ ...shared, request: { ...job.request, fileName } });
    if (drawn.kind === "bytes") entries.push({ name: fileName, body: drawn.body });
    else if (drawn.kind === "image") entries.push({ name: fileName, body: encodePngBeside(drawn.image) });
  }
  return { kind: "bytes", mediaType: "application/zip", body: zipWhenMade(entries) };
}

function drawCompositeProduct(job: PixelJob, rendering: PictureRendering, product: GridProduct): DrawnGridFile {
  switch (product) {
    case "visual-png":
    case "heatmap-png":
      return image(job, drawPicture(job), "png");
    case "visual-webp":
    case "heatmap-webp":
      return image(job, drawPicture(job), "webp-picture");
    case "visual-jpeg":
      return image(job, drawPicture(job), "jpeg");
    case "ski":
      return skiFile(picturesSki(onPlane(job)));
    case "analysis-geotiff":
      return tiff(bandsGeoTiff(job));
    case "visualization-geotiff":
      return tiff(rgbaGeoTiff(job, drawPicture(job)));
    case "metadata":
      return json(metadata(job, compositeMetadata(onPlane(job), rendering)));
    case "area":
      return json({ valid: Number(maskedAreaM2(onPlane(job).grid, channelOf(drawPicture(job).rgba, 3)).toFixed(1)) });
    case "archive":
      return archive(onPlane(job), rendering.products);
    default:
      return product satisfies never;
  }
}

function drawIndexProduct(job: PixelJob, rendering: IndexRendering, product: GridProduct): DrawnGridFile {
  switch (product) {
    case "visual-png":
      return image(job, drawIndex(job, rendering), "png");
    case "visual-webp":
      return image(job, drawIndex(job, rendering), "webp-drawing");
    case "visual-jpeg":
      return image(job, drawIndex(job, rendering), "jpeg");
    case "heatmap-png":
      return image(job, drawHeatmap(job, rendering), "png");
    case "heatmap-webp":
      return image(job, drawHeatmap(job, rendering), "webp-drawing");
    case "ski":
      return skiFile(indexSki(onPlane(job), rendering));
    case "analysis-geotiff":
      return tiff(indexGeoTiff(job, rendering));
    case "visualization-geotiff":
      return tiff(rgbaGeoTiff(job, drawIndex(withoutThreshold(job), rendering)));
    case "metadata":
      return json(metadata(job, indexMetadata(onPlane(job), rendering)));
    case "area":
      return json(indexAreas(onPlane(job), rendering));
    case "archive":
      return archive(onPlane(job), rendering.products);
    default:
      return product satisfies never;
  }
}

function image(job: PixelJob, drawn: DrawnImage, encoding: ImageEncoding): DrawnGridFile {
  if (drawn.shownPx === 0 && !job.request.forceDownload) return EMPTY;
  const { widthPx, heightPx } = job.output;
  return { kind: "image", encoding, image: { data: drawn.rgba, widthPx, heightPx } };
}

function skiFile(body: Promise<Uint8Array> | null): DrawnGridFile {
  return body === null ? EMPTY : { kind: "bytes", mediaType: "application/gzip", body };
}

function geoJson(body: Uint8Array): DrawnGridFile {
  return { kind: "bytes", mediaType: "application/geo+json", body };
}

function tiff(body: Promise<Uint8Array>): DrawnGridFile {
  return { kind: "bytes", mediaType: "image/tiff; application=geotiff", body };
}

function json(value: unknown): DrawnGridFile {
  return { kind: "bytes", mediaType: "application/json", body: new TextEncoder().encode(JSON.stringify(value)) };
}

function rgbaGeoTiff(job: PixelJob, { rgba }: DrawnImage): Promise<Uint8Array> {
  const bands = ["red", "green", "blue", "alpha"].map((description, channel) => ({
    description,
    pixels: channelOf(rgba, channel),
  }));
  return encodeGeoTiff({ ...job.frame, bands, nodata: null, valid: null, isRgba: true });
}

function channelOf(rgba: Uint8Array, channel: number): Uint8Array {
  const pixels = new Uint8Array(rgba.length / 4);
  for (let i = 0; i < pixels.length; i++) pixels[i] = rgba[i * 4 + channel]!;
  return pixels;
}

function metadata(job: PixelJob, own: Readonly<Record<string, unknown>>): unknown {
  const { mapType, version, mapId, scene, provenance } = job.request;
  return {
    mapType,
    version,
    algoVersion: String(version),
    sceneId: scene.sceneId,
    mapId,
    cloudRatio: job.mosaic === undefined ? (scene.cloudCover ?? null) : null,
    ...own,
    ...(job.mosaic === undefined ? {} : { mosaic: mosaicMetadata(job, job.mosaic) }),
    ...(provenance == null ? {} : { provenance }),
  };
}

function compositeMetadata(job: GridJob, rendering: PictureRendering): Readonly<Record<string, unknown>> {
  const { scene, raster, percentileStretch, stretch: range = null } = job.request;
  const composite = planComposite(scene, raster, { percentile: percentileStretch, range });
  const inArea = binaryCoverage(job.coverage);
  const valid = inArea.slice();
  const bands: unknown[] = [];
  const all: Float32Array[] = [];
  for (const { names, values } of warpedBands(job, composite.bands)) {
    for (let i = 0; i < valid.length; i++) if (Number.isNaN(values[i]!)) valid[i] = 0;
    const known = knownValues(values, inArea);
    all.push(known);
    bands.push({ names, ...valueStatistics(known) });
  }
  const stretch = "stretch" in composite ? composite.stretch : null;
  return {
    algorithm: { name: rendering.algorithm, params: { kind: composite.kind, bands: composite.bands, stretch } },
    classes: {},
    statistics: valueStatistics(...all),
    bands,
    validRatio: ratio(countSet(valid), countSet(inArea)),
    quality: { note: "pixel values as stored", expected: "geometry as delivered" },
  };
}
