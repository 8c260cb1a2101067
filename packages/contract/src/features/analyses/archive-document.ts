import { Type, type Static } from "typebox";
import { SceneIdSchema } from "../../kit/schemas/scene.ts";
import { DatetimeSchema } from "../../kit/schemas/time.ts";
import { TileSchema } from "../../kit/schemas/tile.ts";
import { AnalysisToSave } from "./analysis.ts";

/** Frames of an archive; more than an analysis of 8 MiB holds. */
export const MAX_FRAMES = 20_000;
const MAX_MAPS = 20_000;

const Name = Type.String({ minLength: 1, maxLength: 512 });
const ArchivedMap = Type.Object({
  mapId: Type.String({ minLength: 1, maxLength: 4096 }),
  maxZoom: Type.Integer({ minimum: 0, maximum: 30 }),
  tiles: Type.Array(TileSchema, { maxItems: 4 }),
});
const MapsByType = Type.Record(Name, Type.Array(ArchivedMap, { maxItems: MAX_MAPS }));
const MissingMap = Type.Object({
  mapType: Name,
  innerPolygonId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  errorCode: Type.String({ maxLength: 64 }),
  errorMessage: Type.String({ maxLength: 10_000 }),
});

const { description, path, polygon, innerPolygons, tags, task, hiddenFeatures, analysisSets, taskingOrders } =
  AnalysisToSave.properties;
const { actionDerivates, frontendProperties } = AnalysisToSave.properties;

const ArchivedFrame = Type.Object({
  scene: Type.Object({
    sceneId: SceneIdSchema,
    dataset: Type.Optional(Name),
    datetime: Type.Optional(DatetimeSchema),
    provider: Type.Optional(Name),
    satellite: Type.Optional(Name),
  }),
  onlyIngested: Type.Boolean(),
  results: MapsByType,
  innerPolygonsResults: Type.Record(Name, MapsByType),
  actionMeta: Type.Record(Name, Type.Object({ pipelineId: Name, madeOn: DatetimeSchema })),
  failedActions: Type.Array(MissingMap, { maxItems: MAX_MAPS }),
  finishedActions: Type.Array(Name, { maxItems: MAX_MAPS }),
  skippedActions: Type.Array(MissingMap, { maxItems: MAX_MAPS }),
});

/** `analysis.json` of an exported analysis. */
export const ArchiveDocument = Type.Object({
  format: Type.Literal("swath-analysis"),
  version: Type.Literal(1),
  analysis: Type.Object(
    {
      description,
      path,
      polygon,
      innerPolygons,
      tags,
      task,
      hiddenFeatures,
      analysisSets,
      taskingOrders,
      actionDerivates,
      frontendProperties,
    },
    { additionalProperties: false },
  ),
  frames: Type.Array(ArchivedFrame, { maxItems: MAX_FRAMES }),
});

export type ArchiveDocument = Static<typeof ArchiveDocument>;
