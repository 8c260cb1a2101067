import { Type, type TSchema } from "typebox";
import { defineOperation } from "../../kit/operation.ts";
import { MultiPolygonSchema } from "../../kit/schemas/geojson.ts";
import { SceneIdSchema } from "../../kit/schemas/scene.ts";

const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Sha256 = (description: string) => Type.String({ description: `${description}, SHA-256, hexadecimal` });

const ProvenanceRequest = Type.Object({
  mapId: Type.String({
    description: "signed map ID of a release; it grants access to the map",
    minLength: 1,
    maxLength: 4096,
  }),
});

const recordMembers = {
  software: Type.Object({ name: Type.String(), version: Type.String() }),
  mapType: Type.Object({ id: Type.String(), version: Type.Integer() }),
  algorithm: Type.Object({
    name: Type.String(),
    version: Nullable(Type.Integer({ description: "of an analysis; null for maps drawn from the scene" })),
    parameters: Type.Record(Type.String(), Type.Unknown(), { description: "of the analysis, or of the formula" }),
  }),
  models: Type.Array(Type.Object({ id: Type.String(), version: Type.String(), sha256: Sha256("of the model file") })),
  scenes: Type.Array(
    Type.Object({
      sceneId: SceneIdSchema,
      provider: Type.String(),
      dataset: Type.String(),
      datetime: Type.String({ description: "UTC, YYYY-MM-DD HH:MM:SS" }),
      revision: Type.Integer({ description: "edits of the scene before the release", minimum: 0 }),
      contentHash: Sha256("of the ingested or fetched bytes"),
    }),
    { description: "in order of time" },
  ),
  area: Type.Object({ geometryId: Type.String({ description: "digest of the coordinates" }) }),
  pixels: Nullable(
    Type.Object({
      sha256: Sha256("of the decoded values and objects of the map"),
      widthPx: Type.Integer({ minimum: 1 }),
      heightPx: Type.Integer({ minimum: 1 }),
      reduction: Nullable(
        Type.Integer({
          description: "pixels of the map per hashed pixel, along both axes; null on Web Mercator",
          minimum: 1,
        }),
      ),
    }),
  ),
};

const ProvenanceRecord = Type.Object(recordMembers);

const Provenance = Type.Object(
  {
    mapId: Type.String({ description: "the map without its signature" }),
    provenanceId: Type.String({ description: "digest of the record: equal records have equal ids" }),
    ...recordMembers,
    geometry: MultiPolygonSchema,
  },
  { title: "Provenance" },
);

/** A reference to the record of a map, for answers about several maps. */
export const ProvenanceReference = Type.Object({
  mapType: Type.String(),
  sceneId: Type.String(),
  provenanceId: Type.String({ description: "as `/mapsvc/provenance/get` answers it for the map" }),
});

export type ProvenanceRequest = Type.Static<typeof ProvenanceRequest>;
export type ProvenanceRecord = Type.Static<typeof ProvenanceRecord>;
export type Provenance = Type.Static<typeof Provenance>;

export const getProvenance = defineOperation({
  path: "/mapsvc/provenance/get",
  access: "public",
  summary: "Get what a map was made of",
  description:
    "Scenes with hashes of their content, versions, parameters, models and the digest of the pixels, as the release " +
    "found them. The map ID grants the access: no token is needed.",
  request: ProvenanceRequest,
  response: Provenance,
  errors: ["INVALID-MAP-ID", "DATA-NOT-AVAILABLE"],
});
