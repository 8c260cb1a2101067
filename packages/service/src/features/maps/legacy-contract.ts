import { Type } from "typebox";
import type { FeatureContract } from "../../contract-kit/contract.ts";
import { GEOJSON_BODY_LIMIT_BYTES } from "../../contract-kit/operation.ts";
import { definePipeline } from "../../contract-kit/pipeline-operation.ts";
import { ExtentSchema } from "../../contract-kit/schemas/geojson.ts";
import { SceneIdSchema } from "../../contract-kit/schemas/scene.ts";
import { mapTypes as registry } from "../../map-types/registry.ts";
import { flatMembers, releasePermissions } from "./contract.ts";

export const LegacyReleaseRequest = Type.Object({ sceneId: SceneIdSchema, extent: ExtentSchema });
export const LegacyReleaseResult = Type.Object(flatMembers);

export type LegacyReleaseRequest = Type.Static<typeof LegacyReleaseRequest>;
export type LegacyReleaseResult = Type.Static<typeof LegacyReleaseResult>;

/** Map types that have an address of their own: those that clients older than the list form know. */
const ADDRESSED = ["aircraft", "boats", "cars", "change", "imagery", "ndvi", "ships", "wrun", "wrunc", "wrunc-change"];

function legacyRelease(mapTypeId: string) {
  return definePipeline({
    path: `/mapsvc/release/${mapTypeId}/geojson`,
    permissions: ["mapsvc.release"],
    dynamicPermissions: ({ sceneId }: LegacyReleaseRequest) => releasePermissions([mapTypeId], [sceneId]),
    summary: `Make a map of type ${mapTypeId} of one scene (legacy form)`,
    description: "The same as /mapsvc/release of one map type and scene; the pipeline FAILS when no map can be made.",
    request: LegacyReleaseRequest,
    result: LegacyReleaseResult,
    errors: ["NON-EXISTING-SCENE", "CREDITS-ERROR", "ZERO-TILES-AVAILABLE", "UNSUPPORTED-IMAGERY", "GSD-TOO-COARSE"],
    bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
  });
}

/** Legacy release addresses by map type. */
export const legacyMapsContract: Readonly<Record<string, ReturnType<typeof legacyRelease>>> = Object.fromEntries(
  ADDRESSED.filter((id) => registry.has(id)).map((id) => [id, legacyRelease(id)]),
) satisfies FeatureContract;
