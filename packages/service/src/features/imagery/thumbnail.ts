import type { StoredScene } from "@swath/kernel/scenes/stored-scene";

const THUMBNAIL_MEDIA_TYPES = ["image/jpeg", "image/png", "image/webp"] as const;
export type ThumbnailMediaType = (typeof THUMBNAIL_MEDIA_TYPES)[number];

/** Draws a stored scene as it is: longest side at most 512 pixels, invalid pixels transparent where the format can. */
export interface ThumbnailRenderer {
  render(scene: StoredScene, mediaType: ThumbnailMediaType): Promise<Uint8Array>;
}

interface Range {
  readonly type: string;
  readonly quality: number;
}

function parseRange(text: string): Range {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return { type, quality: Number.isFinite(quality) ? Math.min(1, Math.max(0, quality)) : 0 };
}

/** How much a range wants a type; the most specific range that names it decides (RFC 9110, 12.5.1). */
function qualityOf(mediaType: string, ranges: readonly Range[]): number {
  for (const name of [mediaType, "image/*", "*/*"]) {
    const range = ranges.find(({ type }) => type === name);
    if (range !== undefined) return range.quality;
  }
  return 0;
}

/**
 * The media type an Accept header prefers; on a draw JPEG, then PNG, then WebP. A header that accepts none of them
 * gets JPEG: a picture is still better than a refusal.
 */
export function negotiateThumbnail(accept: string | undefined): ThumbnailMediaType {
  const ranges = (accept ?? "*/*").split(",", 32).map(parseRange);
  let best: ThumbnailMediaType = "image/jpeg";
  let bestQuality = qualityOf(best, ranges);
  for (const candidate of THUMBNAIL_MEDIA_TYPES) {
    const quality = qualityOf(candidate, ranges);
    if (quality > bestQuality) {
      best = candidate;
      bestQuality = quality;
    }
  }
  return best;
}
