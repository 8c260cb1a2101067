import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Clock } from "@swath/base/clock";
import { ByteBudget } from "@swath/raster/remote/byte-budget";
import { type HeaderCache, openHttpSource } from "@swath/raster/remote/http-byte-source";
import type { RemoteClient } from "@swath/raster/remote/remote-client";
import { TiffDecoder } from "@swath/raster/remote/tiff-decoder";
import { readSceneMetadata } from "@swath/raster/scene-metadata/read-scene-metadata";
import type { SceneDocument } from "@swath/raster/scene-metadata/scene-metadata";
import { fileOf } from "@swath/raster/scene-metadata/stac-item";
import type { NamedRaster } from "@swath/raster/store/scene-draft";
import type { OpenedScene, SceneWindow } from "@swath/raster/source/scene-source";
import { shiftedRaster } from "./harmonize.ts";
import type { CatalogueItem } from "./item-scene.ts";
import { windowOfExtent } from "./scene-window.ts";
import type { SelectedFile } from "./select-assets.ts";

export interface OpenItemDeps {
  readonly client: RemoteClient;
  readonly headers: HeaderCache;
  readonly clock: Clock;
  /** The address of an asset, from the text in the item. */
  readonly resolve: (href: string) => URL | null;
  readonly maxSceneBytes: number;
}

/**
 * The files of an item, read over HTTP where they are: headers now, pixels as they are asked for.
 *
 * @param coarseSidePx read the smallest overviews whose longer side has at least so many pixels; null for the images themselves
 * @throws {ServiceError} UNSUPPORTED-IMAGERY when the files are not GeoTIFF; errors of `openHttpSource` and `openTiff`
 */
export async function openItem(
  item: CatalogueItem,
  window: SceneWindow | null,
  deps: OpenItemDeps,
  signal: AbortSignal,
  coarseSidePx: number | null = null,
): Promise<OpenedScene> {
  const { selection, scene } = item;
  if (selection.files.length === 0) {
    throw new ServiceError(
      "UNSUPPORTED-IMAGERY",
      `${item.itemId} has no file whose bands are known, expected GeoTIFF assets with bands`,
    );
  }
  const budget = new ByteBudget(deps.maxSceneBytes, scene.sceneId);
  const extent = window?.extent ?? null;
  await using stack = new AsyncDisposableStack();
  const decoder = stack.use(new TiffDecoder());
  const wanted = { extent, footprint: scene.footprint, coarseSidePx };
  const rasters = await Promise.all(
    selection.files.map((file) => openFile(file, wanted, { budget, decoder }, deps, signal)),
  );
  const document: SceneDocument = {
    sensor: selection.sensor?.id ?? null,
    fields: item.fields,
    bands: selection.bands.map(({ matched }) => matched.document),
    complete: selection.complete,
  };
  const metadata = await readSceneMetadata(
    { name: item.itemId, rasters, document, ingestedAt: deps.clock.now() },
    signal,
  ).catch((cause: unknown) => {
    // The files contradict the item, not a request.
    if (!(cause instanceof ServiceError) || cause.code !== "BAD-REQUEST") throw cause;
    throw new ServiceError("SCENE-UNREADABLE", `${item.itemId} and its files disagree: ${cause.message}`, { cause });
  });
  const opened = stack.move();
  return {
    rasters,
    metadata: { ...metadata, satellite: scene.satellite },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

interface WantedPixels {
  readonly extent: MultiPolygon | null;
  readonly footprint: MultiPolygon;
  readonly coarseSidePx: number | null;
}

async function openFile(
  file: SelectedFile,
  { extent, footprint, coarseSidePx }: WantedPixels,
  { budget, decoder }: { readonly budget: ByteBudget; readonly decoder: TiffDecoder },
  deps: OpenItemDeps,
  signal: AbortSignal,
): Promise<NamedRaster> {
  const { asset, name } = file;
  if (/jp2|jpeg2000/.test(asset.mediaType) || /\.jp2$/i.test(fileOf(asset.href))) {
    throw new ServiceError("UNSUPPORTED-IMAGERY", `${name} is a JPEG 2000 file, expected a GeoTIFF`);
  }
  const url = deps.resolve(asset.href);
  if (url === null) {
    throw new ServiceError(
      "UNSUPPORTED-IMAGERY",
      `${name} is at ${asset.href.slice(0, 100)}, expected an http address or one that the configuration rewrites to it`,
    );
  }
  const source = await openHttpSource({ client: deps.client, url, name, headers: deps.headers, budget }, signal);
  const raster = await decoder.open(
    source,
    {
      ...(extent === null ? {} : { window: (image) => windowOfExtent(image, extent, footprint) }),
      ...(coarseSidePx === null ? {} : { coarseSidePx }),
    },
    signal,
  );
  return { name, raster: shiftedRaster(raster, file.shift) };
}
