import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { FileAnswer } from "../../platform/sent-file.ts";
import { matchesEtag } from "../../platform/etag.ts";
import type { SourceBindings } from "../../sources/bindings.ts";
import type { RegisteredItems } from "../../sources/registered/registered-items.ts";

/** A picture with what tells it from others. */
interface Thumbnail {
  readonly mediaType: string;
  readonly body: Uint8Array;
  readonly etag: string;
}

/** Pictures of scenes whose pixels are not in the store, as their sources have them. */
export interface SourceThumbnails {
  /**
   * Null when the dataset has no source, or that has no picture. Pictures come in the media type of the source.
   *
   * @throws {ServiceError} SERVICE-UNAVAILABLE and others of the source
   */
  answer(scene: Scene, ifNoneMatch: string | undefined, signal: AbortSignal): Promise<FileAnswer | null>;
}

/** A page of search results is looked at again and again. */
const CACHE_BYTES = 16 * 2 ** 20;

export function createSourceThumbnails(
  sources: Pick<SourceBindings, "sourceOf">,
  items: Pick<RegisteredItems, "sourceOf"> | null = null,
): SourceThumbnails {
  const cache = new LRUCache<string, Thumbnail>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ body }) => body.length + 1,
  });

  async function find(scene: Scene, signal: AbortSignal): Promise<Thumbnail | null> {
    const known = cache.get(scene.sceneId);
    if (known !== undefined) return known;
    const source = (await items?.sourceOf(scene.sceneId)) ?? sources.sourceOf(scene.provider, scene.dataset);
    const picture = (await source?.thumbnail(scene, signal)) ?? null;
    if (picture === null) return null;
    const hash = createHash("sha256").update(picture.body).digest("base64url");
    const thumbnail = { ...picture, etag: `"${hash.slice(0, 27)}"` };
    cache.set(scene.sceneId, thumbnail);
    return thumbnail;
  }

  return {
    async answer(scene, ifNoneMatch, signal) {
      const thumbnail = await find(scene, signal);
      if (thumbnail === null) return null;
      const { mediaType, body, etag } = thumbnail;
      const headers = { etag, "cache-control": "private, max-age=86400" };
      if (matchesEtag(ifNoneMatch, etag)) return { status: 304, body: null, headers };
      return { status: 200, mediaType, body, contentLength: body.byteLength, headers };
    },
  };
}
