import type { GeoJson } from "@swath/kernel/geometry/geojson";
import { Type, type Static } from "typebox";
import { AreaGeometrySchema } from "../../kit/schemas/geojson.ts";
import { DatetimeSchema } from "../../kit/schemas/time.ts";

const MAX_PATH_CHARS = 256;
const MAX_PEOPLE = 200;
const MAX_LIST = 1_000;
const MAX_HIDDEN = 10_000;

export const AnalysisId = Type.String({
  title: "AnalysisId",
  description: "26 characters of [a-z2-7]",
  pattern: "^[a-z2-7]{26}$",
});

const People = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { description, maxItems: MAX_PEOPLE, uniqueItems: true });
const Free = (description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({ type: "object", description, additionalProperties: true });
const FreeList = (description: string, maxItems = MAX_LIST) => Type.Array(Type.Unknown(), { description, maxItems });

const NamedArea = Type.Object(
  {
    type: Type.Literal("Feature"),
    id: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    geometry: AreaGeometrySchema,
    properties: Type.Optional(
      Type.Union([
        Type.Object({ name: Type.Optional(Type.String({ maxLength: 500 })) }, { additionalProperties: true }),
        Type.Null(),
      ]),
    ),
  },
  { title: "NamedArea", description: "A GeoJSON Feature with properties.name" },
);

const InnerArea = Type.Object(
  { ...NamedArea.properties, id: Type.String({ minLength: 1, maxLength: 128 }) },
  { title: "InnerArea", description: "A GeoJSON Feature with id and properties.name" },
);

const AnalysisTask = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 128 }),
    mapType: Type.String({ minLength: 1, maxLength: 512 }),
    type: Type.String({ minLength: 1, maxLength: 64 }),
    wrt: Type.Optional(
      Type.Union([Type.Literal("first"), Type.Literal("prev")], { description: "scene that a change refers to" }),
    ),
  },
  { title: "AnalysisTask" },
);

/** Members that a caller writes; absent ones stay as they are. */
const written = {
  description: Type.String({ maxLength: 10_000 }),
  path: Type.String({
    description: "folder, such as fields/2026",
    maxLength: MAX_PATH_CHARS,
    pattern: "^[^\\u0000-\\u001f]*$",
  }),
  polygon: Type.Union([NamedArea, Type.Null()], { description: "area of the project" }),
  innerPolygons: Type.Array(InnerArea, { description: "parts with separate results", maxItems: MAX_LIST }),
  public: Type.Boolean({ description: "whether anyone who knows the ID may read" }),
  tags: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100, uniqueItems: true }),
  task: Type.Array(AnalysisTask, { maxItems: 200 }),
  editors: People("users who may write"),
  editorGroups: People("groups whose members may write"),
  viewers: People("users who may read"),
  viewerGroups: People("groups whose members may read"),
  watchdogs: People("users to notify"),
  hiddenFeatures: FreeList("objects that a person has hidden", MAX_HIDDEN),
  analysisSets: FreeList("sets that the project belongs to"),
  taskingOrders: FreeList("orders of captures"),
  actionDerivates: Free("kept for clients"),
  frontendProperties: Free("kept for clients"),
};

const FrameScene = Type.Object({
  sceneId: Type.String(),
  dataset: Type.Optional(Type.String()),
  datetime: Type.Optional(DatetimeSchema),
  provider: Type.Optional(Type.String()),
  satellite: Type.Optional(Type.String()),
});

const AnalysisFrame = Type.Object(
  {
    id: Type.String(),
    scene: FrameScene,
    onlyIngested: Type.Boolean(),
    results: Free("maps by map type"),
    innerPolygonsResults: Free("maps by inner polygon and map type"),
    actionMeta: Free("how each map was made"),
    failedActions: FreeList("map types that failed, with the reason"),
    finishedActions: FreeList("map types with a map"),
    skippedActions: FreeList("map types that the scene cannot have, with the reason"),
  },
  { title: "AnalysisFrame" },
);

/** Largest number of changes: `int4` of the database. */
const MAX_VERSION = 2 ** 31 - 1;
export const AnalysisVersion = Type.Integer({ description: "number of changes", minimum: 1, maximum: MAX_VERSION });

/** Members that the service writes. */
const kept = {
  id: AnalysisId,
  createdOn: DatetimeSchema,
  lastOpened: DatetimeSchema,
  status: Type.Integer({ description: "0 new, 1 queued, 2 processing, 3 finished, 4 failed", minimum: 0, maximum: 4 }),
  userId: Type.String({ description: "owner" }),
  version: AnalysisVersion,
  analysisFrames: Type.Array(AnalysisFrame),
};

const { editors, editorGroups, viewers, viewerGroups, watchdogs, ...shown } = written;
const people = { editors, editorGroups, viewers, viewerGroups, watchdogs };

export const Analysis = Type.Object(
  {
    ...kept,
    ...shown,
    editors: Type.Optional(people.editors),
    editorGroups: Type.Optional(people.editorGroups),
    viewers: Type.Optional(people.viewers),
    viewerGroups: Type.Optional(people.viewerGroups),
    watchdogs: Type.Optional(people.watchdogs),
  },
  { title: "Analysis", description: "A saved project; its people are shown to those with rights on it" },
);

/** A project to save. Members that the service writes are accepted, because clients send back what they got. */
export const AnalysisToSave = Type.Object(
  {
    ...Type.Partial(Type.Object(written)).properties,
    ...Type.Partial(Type.Object({ ...kept, id: Type.String(), analysisFrames: Type.Array(Type.Unknown()) })).properties,
  },
  { title: "AnalysisToSave" },
);

export type Analysis = Static<typeof Analysis>;
export type AnalysisToSave = Static<typeof AnalysisToSave>;
export type AnalysisFrame = Static<typeof AnalysisFrame>;
/** GeoJSON of an area with its name. */
export type NamedArea = Static<typeof NamedArea> & GeoJson;
