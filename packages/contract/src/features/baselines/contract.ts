import { Type } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineOperation } from "../../kit/operation.ts";
import { SceneIdSchema } from "../../kit/schemas/scene.ts";

/** A matrix has the square of it entries. */
export const MAX_BASELINE_SCENES = 200;

export const BaselinesRequest = Type.Object(
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
        "metres: row the reference, column the secondary, 0 on the diagonal, positive where the secondary is above " +
        "the reference's line of sight (as SNAP and ASF, opposite to ISCE); null where unknown",
    }),
  },
  { title: "PerpendicularBaselines" },
);

export const baselinesContract = {
  perpendicularBaselines: defineOperation({
    path: "/imagery/perpendicular-baselines",
    permissions: ["imagery.scene-info"],
    summary: "Perpendicular baselines of radar SLC scenes",
    description:
      "At the centre of the ground each pair has in common, on the ellipsoid. Null where a scene is no complex radar image, " +
      "where sensor family, relative orbit, pass or look side differ, without common ground, without state vectors within " +
      "ten seconds, and beyond 100 km.",
    request: BaselinesRequest,
    response: BaselinesAnswer,
    errors: ["NON-EXISTING-SCENE", "SERVICE-UNAVAILABLE"],
  }),
} as const satisfies FeatureContract;
