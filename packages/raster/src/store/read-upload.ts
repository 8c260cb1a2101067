import { RasterError } from "../raster-error.ts";
import type { SceneDocument } from "../scene-metadata/scene-metadata.ts";
import { readSceneDocument } from "../scene-metadata/scene-document.ts";
import { readSceneMetadata } from "../scene-metadata/read-scene-metadata.ts";
import { readSentinel1Archive } from "../scene-metadata/sentinel1-archive.ts";
import type { Sentinel1Product } from "../scene-metadata/sentinel1-product.ts";
import type { SourceRaster } from "../source-raster.ts";
import { fileSource } from "../tiff/byte-sources.ts";
import { openArchive } from "../tiff/open-archive.ts";
import { openTiff } from "../tiff/open.ts";
import { BYTES_PER_PIXEL } from "./pixel-type.ts";
import { draftScene } from "./scene-draft.ts";
import type { NamedRaster, SceneDraft } from "./scene-draft.ts";

/** An upload to be turned into a scene; plain data, so that it can be handed to a worker thread. */
export interface UploadJob {
  /** Local path of the bytes. */
  readonly path: string;
  /** Name of the file as it was uploaded, with its suffix: sensors and times are read from it. */
  readonly name: string;
  readonly suffix: ".geotiff" | ".zip";
  /** Content of scene.json given beside the file; takes precedence over one in an archive. */
  readonly document: Readonly<Record<string, unknown>> | null;
  /** Milliseconds since 1970, UTC; stands in for the time of acquisition when nothing states it. */
  readonly ingestedAtMs: number;
  /** Whether a file whose time of acquisition nothing states is refused, before a pixel is read. */
  readonly requireDatetime?: boolean;
  /** Temporary folder for COGs and unpacked files; removed by the caller. */
  readonly folder: string;
}

export interface ReadUploadOptions {
  /** Receives the bytes that the pixels of all images take when decoded, once the headers are read. */
  readonly onOpened?: (pixelBytes: number) => void;
  /** Receives the share of the work that is done, 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

interface OpenedUpload extends AsyncDisposable {
  readonly rasters: readonly NamedRaster[];
  readonly document: SceneDocument | null;
}

/**
 * Reads an upload and writes its COGs into the job's folder. Of a complex Sentinel-1 product only the documents are read.
 *
 * @throws {RasterError} that says what is wrong with the file
 */
export async function readUpload(
  job: UploadJob,
  signal: AbortSignal,
  { onOpened, onProgress }: ReadUploadOptions = {},
): Promise<SceneDraft> {
  const product = job.suffix === ".zip" ? await readSentinel1Archive(job.path, signal) : null;
  if (product !== null) return draftProduct(product);
  const given = job.document === null ? null : readSceneDocument(job.document);
  await using opened = await openUpload(job, signal);
  onOpened?.(opened.rasters.reduce((sum, { raster }) => sum + pixelBytesOf(raster), 0));
  const metadata = await readSceneMetadata(
    {
      name: job.name,
      rasters: opened.rasters,
      document: given ?? opened.document,
      ingestedAt: new Date(job.ingestedAtMs),
    },
    signal,
  );
  if (job.requireDatetime === true && metadata.datetimeSource === "unknown") {
    throw new RasterError(
      "time-unknown",
      `${job.name} does not state when the image was taken, expected datetime in the metadata of the ingest`,
    );
  }
  return await draftScene(opened.rasters, metadata, {
    folder: job.folder,
    signal,
    ...(onProgress === undefined ? {} : { onProgress }),
  });
}

function pixelBytesOf({ bands, heightPx, widthPx }: SourceRaster): number {
  const bytesPerPixel = bands.reduce((sum, { dataType }) => sum + BYTES_PER_PIXEL[dataType], 0);
  return widthPx * heightPx * bytesPerPixel;
}

function draftProduct({ metadata, footprint, bands, stateVectors }: Sentinel1Product): SceneDraft {
  return {
    metadata,
    crsEpsg: 0,
    proj4: "+proj=longlat +datum=WGS84 +no_defs",
    controlGrid: null,
    footprint,
    bands: [],
    residualPx: 0,
    product: { bands, stateVectors },
  };
}

async function openUpload(job: UploadJob, signal: AbortSignal): Promise<OpenedUpload> {
  if (job.suffix === ".zip") return openArchive(job.path, job.folder, { signal });
  const stack = new AsyncDisposableStack();
  try {
    const source = stack.use(await fileSource(job.path, job.name));
    const raster = stack.use(await openTiff(source));
    return {
      rasters: [{ name: job.name, raster }],
      document: null,
      [Symbol.asyncDispose]: async () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}
