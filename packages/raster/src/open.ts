import type { ByteSource } from "./byte-source.ts";
import { httpSource } from "./http-source.ts";
import type { SourceRaster } from "./source-raster.ts";
import { bufferSource, fileSource } from "./tiff/byte-sources.ts";
import type { TiffLimits } from "./tiff/limits.ts";
import { tiffRaster } from "./tiff/open.ts";
import { overviewLayouts, readTiffFile, type TiffFile } from "./tiff/tiff-file.ts";

export interface OpenOptions {
  /** Bounds of memory that a file may ask for. */
  readonly limits?: Partial<TiffLimits>;
  /** Of the requests that opening an address takes. */
  readonly signal?: AbortSignal;
}

/** An open image. Its rows are read by `readRows`, windows of it or of an overview by `readWindow`. */
export interface Raster extends SourceRaster {
  /** Sizes of the overviews, from fine to coarse. */
  readonly overviews: readonly { readonly widthPx: number; readonly heightPx: number }[];
  /** For `readWindow`. */
  readonly file: TiffFile;
}

/**
 * Opens a TIFF, BigTIFF, GeoTIFF or COG: the path of a file, its bytes, its address or any source of bytes.
 * Reads its directories only. Disposing of the raster closes the file or the connections that this call opened.
 *
 * @throws {RasterError} unreadable when the file is damaged or contradicts itself.
 * Unsupported when it is sound but of a kind that is not read; unreachable when a server does not answer.
 * The error of the file system when there is no such file
 */
export async function open(input: string | URL | Uint8Array | ByteSource, options: OpenOptions = {}): Promise<Raster> {
  await using stack = new AsyncDisposableStack();
  const source = await sourceOf(input, options, stack);
  const file = await readTiffFile(source, options.limits);
  const closing = stack.move();
  const rows = tiffRaster(file, {
    onDispose: () => closing.disposeAsync(),
    onBlocks: (ranges) => source.plan?.(ranges),
  });
  const overviews = overviewLayouts(file).map(({ widthPx, heightPx }) => ({ widthPx, heightPx }));
  return { ...rows, overviews, file };
}

async function sourceOf(
  input: string | URL | Uint8Array | ByteSource,
  options: OpenOptions,
  stack: AsyncDisposableStack,
): Promise<ByteSource> {
  if (typeof input === "string") return stack.use(await fileSource(input));
  if (input instanceof Uint8Array) return bufferSource(input);
  if (!(input instanceof URL)) return input;
  return stack.use(await httpSource(input, options.signal === undefined ? {} : { signal: options.signal }));
}
