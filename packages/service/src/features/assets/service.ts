import { ServiceError } from "@swath/kernel/errors/service-error";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { Clock } from "@swath/base/clock";
import { COG_TYPE } from "@swath/contract/features/assets/contract";
import type { Caller, FileRequest } from "../../platform/context.ts";
import type { FileAnswer } from "../../platform/sent-file.ts";
import { rangedAnswer } from "../../platform/downloads/ranged-file.ts";
import { etagOf } from "../../platform/etag.ts";
import { createRechecked } from "../../platform/rechecked.ts";
import type { SigningKeys } from "../../platform/signed-text.ts";
import { assetTokens, readAssetToken } from "./asset-token.ts";
import { readableScene, sizeOf, type ReadableScene, type ReadableSceneDeps } from "./readable-scene.ts";

/** Files of scenes in the store, at addresses that grant reading. */
export interface AssetsService {
  /**
   * Signs addresses for a caller. An address never gives more than the caller may read when it is used.
   *
   * @returns the address of a file of a scene; null for a caller without a credential
   */
  addressesFor(caller: Caller, baseUrl: string): ((sceneId: string, name: string) => string) | null;
  /** @throws {ServiceError} NOT-AUTHORIZED, and as `readableScene`; DATA-NOT-AVAILABLE for an unknown file */
  file(
    request: FileRequest<{ readonly token: string; readonly sceneId: string; readonly fileName: string }, unknown>,
  ): Promise<FileAnswer>;
}

interface AssetsDeps extends ReadableSceneDeps {
  readonly blobs: Pick<BlobStore, "head" | "read" | "stream">;
  readonly clock: Clock;
  /** Sign the addresses. */
  readonly signingKeys: SigningKeys;
}

/** A right that has ended ends reading this much later at most. */
const RECHECK_MS = 5_000;
/** A client reads one scene by many ranges; 5,000 entries of about 2 kB. */
const REMEMBERED_SCENES = 5_000;
/** The address itself changes each hour. */
const MAX_AGE_S = 3_600;
const EXTENSION = ".tif";

export function createAssetsService(deps: AssetsDeps): AssetsService {
  const { blobs, clock, signingKeys } = deps;
  // The key holds the whole grant: rights of one caller say nothing of another.
  const scenes = createRechecked(clock, { everyMs: RECHECK_MS, max: REMEMBERED_SCENES }, (key) => judged(deps, key));
  return {
    addressesFor(caller, baseUrl) {
      const tokenOf = assetTokens(signingKeys, caller, clock.now().getTime());
      if (tokenOf === null) return null;
      return (sceneId, name) =>
        `${baseUrl}/assets/${tokenOf(sceneId)}/${encodeURIComponent(sceneId)}/${name}${EXTENSION}`;
    },

    async file({ params: { fileName, sceneId, token }, headers }) {
      const grant = readAssetToken(signingKeys, token, sceneId, clock.now().getTime());
      const scene = await scenes.read(JSON.stringify([grant.userId, grant.credential, sceneId]));
      if (scene instanceof ServiceError) throw scene;
      const key = scene.keys.get(fileName.slice(0, -EXTENSION.length));
      const sizeBytes = key === undefined ? null : await sizeOf(deps, scene, key);
      if (key === undefined || sizeBytes === null) {
        throw new ServiceError("DATA-NOT-AVAILABLE", `scene ${sceneId} has no file ${fileName}`);
      }
      return rangedAnswer(
        {
          mediaType: COG_TYPE,
          sizeBytes,
          etag: etagOf([key, scene.contentHash, sizeBytes]),
          headers: { "cache-control": `private, max-age=${MAX_AGE_S}` },
          read: (offset, length) => blobs.read(key, offset, length),
          stream: () => blobs.stream(key),
        },
        headers,
      );
    },
  };
}

/** The scene, or the refusal: it is kept as well, so that refused requests cost no statements. */
async function judged(deps: ReadableSceneDeps, key: string): Promise<ReadableScene | ServiceError> {
  const [userId, credential, sceneId] = JSON.parse(key) as [string, string, string];
  try {
    return await readableScene(deps, { userId, credential }, sceneId);
  } catch (error) {
    // A busy service is no refusal.
    if (error instanceof ServiceError && error.code !== "SERVICE-UNAVAILABLE" && error.code !== "TOO-MANY-REQUESTS") {
      return error;
    }
    throw error;
  }
}
