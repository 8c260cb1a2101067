import type { Geometry } from "@swath/kernel/geometry/geojson";
import { Type, type Static } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { GEOJSON_BODY_LIMIT_BYTES, defineOperation } from "../../kit/operation.ts";
import { GeometrySchema } from "../../kit/schemas/geojson.ts";
import { CursorSchema, NextCursorSchema } from "../../kit/schemas/paging.ts";

/** A geometry in canonical form with its id. */
export type StoredGeometry = Geometry & { readonly id: string };
/** Members of any name and JSON value. */
export type Properties = Readonly<Record<string, unknown>>;

const Id = (description: string) => Type.String({ description, minLength: 1, maxLength: 128 });

const StoredGeometrySchema = Type.Unsafe<StoredGeometry>({
  title: "StoredGeometry",
  description: "A GeoJSON geometry in canonical form: seven decimals, exteriors counter-clockwise, holes clockwise",
  type: "object",
  required: ["id"],
  properties: {
    id: { type: "string", description: "base64url SHA-256 of the canonical geometry, 43 characters", minLength: 1 },
  },
  allOf: [GeometrySchema],
});

const PropertiesSchema = Type.Unsafe<Properties>({
  type: "object",
  description: "free-form, up to 1 MiB of JSON and 32 levels; kept as sent",
});

const FeatureToSaveSchema = Type.Object(
  {
    type: Type.Literal("Feature"),
    id: Type.Optional(Id("a feature of the caller to replace; absent creates a new one")),
    geometry: GeometrySchema,
    properties: Type.Optional(PropertiesSchema),
  },
  { title: "FeatureToSave", description: "A GeoJSON Feature; other members are dropped" },
);
export type FeatureToSave = Static<typeof FeatureToSaveSchema>;

const StoredFeatureSchema = Type.Object(
  {
    type: Type.Literal("Feature"),
    id: Type.String(),
    geometry: StoredGeometrySchema,
    properties: PropertiesSchema,
  },
  { title: "StoredFeature", description: "A GeoJSON Feature with its id and the id of its geometry" },
);
export type StoredFeature = Static<typeof StoredFeatureSchema>;

const SavedFeatureSchema = Type.Object(
  { featureId: Type.String(), geometryId: Type.String() },
  { title: "SavedFeature" },
);
export type SavedFeature = Static<typeof SavedFeatureSchema>;

const FeaturePageSchema = Type.Object(
  { results: Type.Array(StoredFeatureSchema), cursor: NextCursorSchema },
  { title: "StoredFeaturePage" },
);
export type FeaturePage = Static<typeof FeaturePageSchema>;

const FeatureReference = Type.Object({ featureId: Id("a feature of the caller") });

export const geojsonContract = {
  deleteFeature: defineOperation({
    path: "/geojson/feature/delete",
    summary: "Delete a feature of the caller",
    description: "Its geometry stays, because other callers may hold its id.",
    permissions: ["geojson.feature.delete"],
    request: FeatureReference,
    response: Type.Object({}),
    errors: ["NON-EXISTENT-FEATURE"],
  }),
  getFeature: defineOperation({
    path: "/geojson/feature/get",
    summary: "Get a feature of the caller",
    permissions: ["geojson.feature.get"],
    request: FeatureReference,
    response: StoredFeatureSchema,
    errors: ["NON-EXISTENT-FEATURE"],
  }),
  getGeometry: defineOperation({
    path: "/geojson/geometry/get",
    summary: "Get a saved geometry",
    description: "Any caller with the id can read it.",
    permissions: ["geojson.geometry.get"],
    request: Type.Object({ geometryId: Id("id that saving the geometry returned") }),
    response: StoredGeometrySchema,
    errors: ["NON-EXISTENT-GEOMETRY"],
  }),
  listFeatures: defineOperation({
    path: "/geojson/feature/list",
    summary: "List the features of the caller, newest first",
    description:
      "Ordered by creation; replacing a feature does not move it. A page holds 100 features, fewer when " +
      "they are large.",
    permissions: ["geojson.feature.list"],
    request: Type.Object({ cursor: Type.Optional(CursorSchema) }),
    response: FeaturePageSchema,
    errors: ["INVALID-CURSOR"],
  }),
  saveFeature: defineOperation({
    path: "/geojson/feature/save",
    summary: "Create or replace a feature of the caller",
    description: "Without id the service creates a feature. With id it replaces that feature as a whole.",
    permissions: ["geojson.feature.save"],
    request: FeatureToSaveSchema,
    response: SavedFeatureSchema,
    errors: ["NON-EXISTENT-FEATURE"],
    bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
  }),
  saveGeometry: defineOperation({
    path: "/geojson/geometry/save",
    summary: "Save a geometry under the hash of its canonical form",
    description:
      "Coordinates are rounded to seven decimals, exteriors wound counter-clockwise, holes clockwise. " +
      "Foreign members are dropped. Equal geometries have equal ids in every notation.",
    permissions: ["geojson.geometry.save"],
    request: GeometrySchema,
    response: StoredGeometrySchema,
    bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
  }),
} as const satisfies FeatureContract;
