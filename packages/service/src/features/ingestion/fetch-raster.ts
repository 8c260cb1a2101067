import { createProjection } from "@swath/kernel/crs/projection";
import { controlGridProjection } from "@swath/kernel/crs/control-grid";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { mbr } from "@swath/kernel/geometry/mbr";
import type { StoredBand } from "@swath/kernel/scenes/stored-raster";
import { ServiceError } from "../../errors.ts";
import type { BlobStore } from "../../platform/blobs/blob-store.ts";
import { controlGridFor } from "../../platform/raster-io/crs/control-grid.ts";
import type { BandMetadata } from "../../platform/raster-io/scene-metadata/scene-metadata.ts";
import { selectBands } from "../../platform/raster-io/store/band-selection.ts";
import { cutRaster, type FormerRaster } from "../../platform/raster-io/store/cut-raster.ts";
import { northUp } from "../../platform/raster-io/store/north-up.ts";
import { draftRaster, type NamedRaster, type RasterDraft } from "../../platform/raster-io/store/scene-draft.ts";
import { openStoredRaster } from "../../platform/raster-io/store/stored-raster.ts";
import { hashFile } from "../../platform/uploads/hash-file.ts";
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
  let draft: RasterDraft;
  if (wanted === null) {
    draft = await draftRaster(named, index, bands, { folder, signal });
  } else {
    const isClass = bands.map(({ quantity }) => quantity === "class");
    const spoolPath = `${folder}/source-${index}.pixels`;
    const selected = selectBands(named.raster, bands);
    const placed = stack.use(await northUp(selected, { name: named.name, spoolPath, isClass, signal }));
    const controlGrid = await controlGridFor(placed.crs, mbr(wanted.area), signal);
    const { forward } = controlGrid === null ? createProjection(placed.crs.proj4) : controlGridProjection(controlGrid);
    const before: FormerRaster | null = former === null ? null : await openFormer(blobs, former, stack);
    const cut = cutOnGrid(named.name, () => cutRaster(placed.raster, placed.transform, wanted.area, forward, before));
    const bandsOfCut = bands.map((band, position) => ({ ...band, band: position }));
    const made = await draftRaster({ name: named.name, raster: cut }, index, bandsOfCut, { folder, signal });
    draft = {
      ...made,
      residualPx: placed.residualPx,
      bands: made.bands.map((band) => ({ ...band, metadata: bands[band.metadata.band] ?? band.metadata })),
    };
  }
  const hashes: string[] = [];
  // oxlint-disable-next-line no-await-in-loop -- bound by the disk
  for (const { path } of draft.bands) hashes.push(await hashFile(path, signal));
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

function cutOnGrid<Cut>(name: string, cut: () => Cut | null): Cut {
  let result: Cut | null;
  try {
    result = cut();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new ServiceError("UNSUPPORTED-IMAGERY", `${name} cannot be cut: ${cause.message}`, { cause });
  }
  if (result === null) {
    throw new ServiceError("SCENE-UNREADABLE", `${name} was delivered without the part that was asked for`);
  }
  return result;
}
