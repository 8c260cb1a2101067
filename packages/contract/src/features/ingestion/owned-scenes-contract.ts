import { Type, type Static } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineOperation } from "../../kit/operation.ts";
import { CursorSchema, NextCursorSchema } from "../../kit/schemas/paging.ts";
import { DatasetIdSchema, ProviderIdSchema, SceneIdSchema } from "../../kit/schemas/scene.ts";
import { DatetimeInputSchema, DatetimeSchema } from "../../kit/schemas/time.ts";
import { VisibilitySchema } from "../../kit/schemas/visibility.ts";
import { sceneSummaryMembers } from "./scene-summary.ts";

const PERMISSION = "ingest-scene";
const MAX_BANDS = 512;

const Name = (description: string) =>
  Type.String({ description, minLength: 1, maxLength: 100, pattern: "^[^\\u0000-\\u001f]*$" });
const MaybeTime = (description: string) => Type.Union([DatetimeSchema, Type.Null()], { description });

const OwnedScene = Type.Object(
  {
    sceneId: SceneIdSchema,
    provider: ProviderIdSchema,
    dataset: DatasetIdSchema,
    ...sceneSummaryMembers,
    visibility: VisibilitySchema,
    ingestedAt: DatetimeSchema,
    revision: Type.Integer({ description: "edits since the ingest", minimum: 0 }),
    deletedAt: MaybeTime("null unless the scene is deleted"),
    restorableUntil: MaybeTime("end of the day in which a deletion can be taken back"),
  },
  { title: "OwnedScene", description: "an uploaded scene as its owner sees it" },
);
export type OwnedSceneAnswer = Static<typeof OwnedScene>;

const ListRequest = Type.Object(
  {
    sceneId: Type.Optional({ ...SceneIdSchema, description: "only this scene, deleted or not" }),
    deleted: Type.Optional(
      Type.Boolean({ description: "deleted scenes that can be restored, instead of the others", default: false }),
    ),
    groupId: Type.Optional(
      Type.String({
        description: "scenes of this group; administrators only. By default the group of the caller",
        minLength: 1,
        maxLength: 128,
        pattern: "^[^\\u0000-\\u001f]*$",
      }),
    ),
    cursor: Type.Optional(CursorSchema),
    limit: Type.Optional(Type.Integer({ description: "scenes of a page", minimum: 1, maximum: 1000, default: 100 })),
  },
  { title: "ListOwnedScenesRequest" },
);
export type ListOwnedScenes = Static<typeof ListRequest>;

const ListAnswer = Type.Object({ results: Type.Array(OwnedScene), cursor: NextCursorSchema });
export type OwnedScenePage = Static<typeof ListAnswer>;

const EditedBand = Type.Union([
  Name("identifier in the table of the sensor, such as B04, or a plain name, such as red"),
  Type.Object({
    id: Type.Optional(Name("as the text form")),
    names: Type.Optional(
      Type.Array(Name("alias"), { description: "aliases, the long name first", minItems: 1, maxItems: 20 }),
    ),
    role: Type.Optional(Name("meaning, such as R, N or VV; docs/scene-json.md lists them")),
    wavelengthNm: Type.Optional(Type.Number({ description: "centre wavelength", minimum: 1, maximum: 1e9 })),
    quantity: Type.Optional(
      Type.Enum(["reflectance", "display", "backscatter-linear", "backscatter-db", "class", "other"]),
    ),
    reflectanceMult: Type.Optional(Type.Number({ minimum: -1e9, maximum: 1e9 })),
    reflectanceAdd: Type.Optional(Type.Number({ minimum: -1e9, maximum: 1e9 })),
    radianceMult: Type.Optional(Type.Number({ minimum: -1e9, maximum: 1e9 })),
    radianceAdd: Type.Optional(Type.Number({ minimum: -1e9, maximum: 1e9 })),
  }),
]);

const EditRequest = Type.Object(
  {
    sceneId: SceneIdSchema,
    datetime: Type.Optional({ ...DatetimeInputSchema, description: "time of acquisition" }),
    satellite: Type.Optional(Name("satellite or sensor, as shown")),
    sensor: Type.Optional(
      Name("sensor whose table names the bands, such as sentinel-2; without `bands` in the order of its products"),
    ),
    bands: Type.Optional(
      Type.Array(EditedBand, {
        description: "one entry for each band, in the order of the scene",
        minItems: 1,
        maxItems: MAX_BANDS,
      }),
    ),
    visibility: Type.Optional(VisibilitySchema),
  },
  { title: "EditSceneRequest" },
);
export type EditSceneRequest = Static<typeof EditRequest>;

const SceneRequest = Type.Object({ sceneId: SceneIdSchema });

const REFUSED = "For members of the group that ingested the scene, and for administrators. ";
const common = { access: "user", permissions: [PERMISSION], unknownMembers: "refuse" } as const;

export const ownedScenesContract = {
  deleteScene: defineOperation({
    ...common,
    path: "/imagery/scene/delete",
    summary: "Delete an uploaded scene",
    description:
      `${REFUSED}Searches no longer find it, and to others it does not exist. Released maps stay readable. ` +
      "Groups that have allocated area of it keep using it by its identifier. `restore` takes the deletion back " +
      "for a day. Afterwards the pixels are removed, unless maps or allocations need them.",
    request: SceneRequest,
    response: OwnedScene,
    errors: ["NON-EXISTING-SCENE", "CONFLICT"],
  }),
  editScene: defineOperation({
    ...common,
    path: "/imagery/scene/edit",
    summary: "Correct time, satellite, bands and visibility of an uploaded scene",
    description: `${REFUSED}Maps that were released before keep the former metadata; a new release uses the new ones.`,
    request: EditRequest,
    response: OwnedScene,
    errors: ["NON-EXISTING-SCENE", "CONFLICT", "BAD-REQUEST"],
  }),
  listScenes: defineOperation({
    ...common,
    path: "/imagery/scene/list",
    summary: "List the scenes that the group of the caller ingested",
    description: "Newest ingest first. Administrators name another group in `groupId`.",
    request: ListRequest,
    response: ListAnswer,
    errors: ["INVALID-CURSOR"],
  }),
  restoreScene: defineOperation({
    ...common,
    path: "/imagery/scene/restore",
    summary: "Take back the deletion of a scene",
    description: `${REFUSED}Possible for a day after the deletion. The same file again restores the scene later.`,
    request: SceneRequest,
    response: OwnedScene,
    errors: ["NON-EXISTING-SCENE", "CONFLICT"],
  }),
} as const satisfies FeatureContract;
