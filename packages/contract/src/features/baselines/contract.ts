import { Type } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineOperation } from "../../kit/operation.ts";
import { SceneIdSchema } from "../../kit/schemas/scene.ts";

/** The matrix has the square of this number of entries. */
const MAX_BASELINE_SCENES = 200;

const BaselinesRequest = Type.Object(
  {
    sceneIds: Type.Array(SceneIdSchema, {
      description: "radar SLC scenes, each once",
      minItems: 2,
      maxItems: MAX_BASELINE_SCENES,
      uniqueItems: true,
    }),
  },
  { title: "PerpendicularBaselinesRequest" },
);

export const BaselinesAnswer = Type.Object(
  {
    indexes: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
      description: "row and column of each scene, in the order of the request",
    }),
    perpendicular_baselines: Type.Array(Type.Array(Type.Union([Type.Number(), Type.Null()])), {
      description:
        "metres; rows are references, columns secondaries, 0 on the diagonal, null where unknown. Positive " +
        "where the secondary is above the line of sight of the reference (as SNAP and ASF, opposite to ISCE)",
    }),
  },
  { title: "PerpendicularBaselines" },
);

export const baselinesContract = {
  perpendicularBaselines: defineOperation({
    path: "/imagery/perpendicular-baselines",
    permissions: ["imagery.scene-info"],
    summary: "Compute perpendicular baselines of radar SLC scenes",
    description:
      "Computed at the centre of the common ground of each pair, on the ellipsoid. Null without common " +
      "ground, without state vectors within ten seconds, and beyond 100 km. Null where a scene is no " +
      "complex radar image, and where sensor family, relative orbit, pass or look side differ.",
    request: BaselinesRequest,
    response: BaselinesAnswer,
    errors: ["NON-EXISTING-SCENE", "SERVICE-UNAVAILABLE"],
    work: { maps: ({ sceneIds }) => sceneIds.length },
  }),
} as const satisfies FeatureContract;
