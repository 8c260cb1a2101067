import { animatedGif } from "@swath/raster/encode/animation/animated-gif";
import { animatedWebp } from "@swath/raster/encode/animation/animated-webp";
import type { AnimationSize } from "@swath/raster/encode/animation/animation-format";
import type { TimelapseRequest } from "@swath/contract/features/maps/timelapse-contract";
import type { WorkSpool } from "../../../platform/uploads/work-spool.ts";
import type { DownloadBody } from "../../../platform/downloads/downloads.ts";

const FORMATS = { gif: animatedGif, webp: animatedWebp } as const;

/** An animation whose frames are on disk as soon as they are encoded. */
export interface SpooledAnimation {
  readonly mediaType: string;
  readonly format: NonNullable<TimelapseRequest["format"]>;
  append(picture: Uint8Array, size: AnimationSize): Promise<void>;
  /** The whole file, as long as the spool is open. */
  body(size: AnimationSize): DownloadBody;
}

export function openAnimation(
  spool: WorkSpool,
  format: NonNullable<TimelapseRequest["format"]>,
  frameMs: number,
): SpooledAnimation {
  const codec = FORMATS[format];
  const { mediaType, end } = codec;
  const parts: { readonly start: number; readonly length: number }[] = [];
  return {
    mediaType,
    format,
    async append(picture, size) {
      const bytes = codec.frame({ picture, durationMs: frameMs }, size);
      parts.push({ start: await spool.append(bytes), length: bytes.byteLength });
    },
    body(size) {
      const framesBytes = parts.reduce((sum, { length }) => sum + length, 0);
      const header = codec.start(size, framesBytes);
      return {
        sizeBytes: header.byteLength + framesBytes + end.byteLength,
        async *stream() {
          yield header;
          for (const part of parts) {
            const bytes = new Uint8Array(part.length);
            await spool.read(part.start, bytes);
            yield bytes;
          }
          if (end.byteLength > 0) yield end;
        },
      };
    },
  };
}
