import { createProjection } from "@swath/kernel/crs/projection";
import { controlGridProjection } from "@swath/kernel/crs/control-grid";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { mbr } from "@swath/kernel/geometry/mbr";
import { RasterError } from "../raster-error.ts";
import { hashFile } from "@swath/base/hash-file";
import { controlGridFor } from "../crs/control-grid.ts";
import type { BandMetadata } from "../scene-metadata/scene-metadata.ts";
import { selectBands } from "./band-selection.ts";
import { cutRaster, type FormerRaster } from "./cut-raster.ts";
import { northUp } from "./north-up.ts";
import { draftRaster, type NamedRaster, type RasterDraft } from "./scene-draft.ts";

/** Which part of a raster becomes COGs; plain data. */
export interface PartJob {
  /** Of the raster, for messages. */
  readonly name: string;
  /** The raster's place in the scene, which names the files. */
  readonly index: number;
  /** Metadata of the wanted bands; `raster` of each is `index`. */
  readonly bands: readonly BandMetadata[];
  /** Pixels whose centres it holds are kept; null for all. Normal form. */
  readonly area: MultiPolygon | null;
  /** Temporary folder for the COGs; removed by the caller. */
  readonly folder: string;
}

/** COGs of a part; plain data. */
export interface DraftedPart {
  readonly draft: RasterDraft;
  /** SHA-256 of the file of each band. */
  readonly hashes: readonly string[];
}

/**
 * Reads a raster, cuts it, joins it with the stored raster, and writes a COG for each of its bands.
 *
 * @param former the same bands as they are in the store already; needs an area
 * @throws {RasterError} as `draftRaster`; unreadable when the raster has no pixel of the area
 */
export async function draftPart(
  job: PartJob,
  raster: NamedRaster["raster"],
  former: FormerRaster | null,
  signal: AbortSignal,
): Promise<DraftedPart> {
  const draft = await draftOf(job, raster, former, signal);
  const hashes: string[] = [];
  for (const { path } of draft.bands) hashes.push(await hashFile(path, signal));
  return { draft, hashes };
}

async function draftOf(
  { name, index, bands, area, folder }: PartJob,
  raster: NamedRaster["raster"],
  former: FormerRaster | null,
  signal: AbortSignal,
): Promise<RasterDraft> {
  if (area === null) return await draftRaster({ name, raster }, index, bands, { folder, signal });
  const isClass = bands.map(({ quantity }) => quantity === "class");
  const spoolPath = `${folder}/source-${index}.pixels`;
  await using placed = await northUp(selectBands(raster, bands), { name, spoolPath, isClass, signal });
  const controlGrid = await controlGridFor(placed.crs, mbr(area), signal);
  const { forward } = controlGrid === null ? createProjection(placed.crs.proj4) : controlGridProjection(controlGrid);
  const cut = cutOnGrid(name, () => cutRaster(placed.raster, placed.transform, area, forward, former));
  const bandsOfCut = bands.map((band, position) => ({ ...band, band: position }));
  const made = await draftRaster({ name, raster: cut }, index, bandsOfCut, { folder, signal });
  return {
    ...made,
    residualPx: placed.residualPx,
    bands: made.bands.map((band) => ({ ...band, metadata: bands[band.metadata.band] ?? band.metadata })),
  };
}

function cutOnGrid<Cut>(name: string, cut: () => Cut | null): Cut {
  let result: Cut | null;
  try {
    result = cut();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new RasterError("unsupported", `${name} cannot be cut: ${cause.message}`, { cause });
  }
  if (result === null) {
    throw new RasterError("unreadable", `${name} was delivered without the part that was asked for`);
  }
  return result;
}
