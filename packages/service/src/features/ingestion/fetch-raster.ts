import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { StoredBand } from "@swath/kernel/scenes/stored-raster";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { BandMetadata } from "@swath/raster/scene-metadata/scene-metadata";
import type { FormerRaster } from "@swath/raster/store/cut-raster";
import { draftPartInWorker } from "@swath/raster/store/run-part-worker";
import type { NamedRaster, RasterDraft } from "@swath/raster/store/scene-draft";
import { openStoredRaster } from "@swath/raster/store/stored-raster";
import type { BandKeys } from "./build-scene.ts";
import { storeBands } from "./store-bands.ts";

/** The part of a scene that is wanted. */
export interface Wanted {
  /** Pixels whose centres it holds are kept. */
  readonly area: MultiPolygon;
  /** What the source is asked for: `area` inside the scene. */
  readonly window: MultiPolygon;
}

/** A raster of a scene whose COGs are in the store; plain data. */
export interface FetchedRaster {
  readonly draft: RasterDraft;
  /** Of each band of the draft. */
  readonly keys: readonly BandKeys[];
  readonly hashes: readonly string[];
}

export interface FetchRasterOptions {
  readonly named: NamedRaster;
  readonly index: number;
  readonly bands: readonly BandMetadata[];
  /** Null for all of it. */
  readonly wanted: Wanted | null;
  /** The same bands as they are in the store already, to be joined with what is wanted. */
  readonly former: readonly StoredBand[] | null;
  /** Of the blob keys. */
  readonly prefix: string;
}

/** Reads one raster of a source, cuts it, and puts its bands into the store. */
export async function fetchRaster(
  { blobs, folder, signal }: { readonly blobs: BlobStore; readonly folder: string; readonly signal: AbortSignal },
  { named, index, bands, wanted, former, prefix }: FetchRasterOptions,
): Promise<FetchedRaster> {
  await using stack = new AsyncDisposableStack();
  const before = former === null || wanted === null ? null : await openFormer(blobs, former, stack);
  const job = { name: named.name, index, bands, area: wanted?.area ?? null, folder };
  const { draft, hashes } = await draftPartInWorker(job, named.raster, before, signal);
  return { draft, keys: await storeBands(blobs, draft, prefix, signal), hashes };
}

async function openFormer(
  blobs: BlobStore,
  bands: readonly StoredBand[],
  stack: AsyncDisposableStack,
): Promise<FormerRaster> {
  const raster = stack.use(await openStoredRaster(blobs, bands));
  return { raster, transform: bands[0]?.geotransform ?? [1, 0, 0, 0, -1, 0] };
}
