import { MAX_IMPORT_BYTES, MAX_IMPORT_LINES } from "@swath/kernel/scenes/import-limits";
import { Type, type Static } from "typebox";
import { defineFileRoute } from "../../kit/file-route.ts";
import { defineOperation } from "../../kit/operation.ts";
import { DatetimeSchema } from "../../kit/schemas/time.ts";

/** Items of one request whose files are looked at. */
const MAX_POSTED_ITEMS = 100;
const BODY_LIMIT_BYTES = 4 * 1024 * 1024;

const GEOJSON = "application/geo+json";
const RIGHTS = ["ingest-scene", "imagery.availability"] as const;

const CollectionId = Type.String({ description: "collection", minLength: 1, maxLength: 256 });
const ItemId = Type.String({
  description: "scene identifier, or the `id` with which the group of the caller registered the item",
  minLength: 1,
  maxLength: 256,
});
const Document = (title: string, description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>(Type.Object({}, { title, description, additionalProperties: true }));

const FILE_ERRORS = ["SCENE-UNREADABLE", "UNSUPPORTED-IMAGERY", "IMAGE-TOO-LARGE", "SERVICE-UNAVAILABLE"] as const;

const ImportSchema = Type.Object(
  {
    created: Type.Integer({ minimum: 0 }),
    replaced: Type.Integer({ minimum: 0 }),
    unchanged: Type.Integer({ minimum: 0 }),
    refused: Type.Integer({ minimum: 0 }),
    refusals: Type.Array(
      Type.Object({
        line: Type.Integer({ description: "from 1; 0 for an item that cannot be replaced", minimum: 0 }),
        id: Type.Union([Type.String(), Type.Null()]),
        reason: Type.String(),
      }),
      { description: "the first refused items" },
    ),
  },
  { title: "StacImport" },
);
export type ImportAnswer = Static<typeof ImportSchema>;

const shared = {
  access: "user",
  permissions: RIGHTS,
  bodyLimitBytes: BODY_LIMIT_BYTES,
  rateClass: "initiate",
  refusal: "BAD-REQUEST",
} as const;

/** Entity tags of the state that a change expects. */
const IF_MATCH = { "if-match": Type.String({ maxLength: 1_000 }) };

/** The Transaction extension of STAC API. */
export const transactionContract = {
  createItems: defineOperation({
    ...shared,
    method: "POST",
    path: "/stac/collections/:collectionId/items",
    summary: "Register an item, or the items of a FeatureCollection, whose files stay where they are",
    description:
      "The collection is a dataset of uploads. The header of each file is read, from a host that the operator " +
      "allows. The scenes belong to the group of the caller, as ingested ones do. Items of a FeatureCollection are " +
      "registered together or not at all.",
    request: Type.Object(
      {
        collectionId: CollectionId,
        type: Type.Enum(["Feature", "FeatureCollection"]),
        features: Type.Optional(
          Type.Array(Document("StacNewItem", "STAC item"), { minItems: 1, maxItems: MAX_POSTED_ITEMS }),
        ),
      },
      { title: "StacNewItems", additionalProperties: true },
    ),
    response: Document("StacCreated", "the item, or a FeatureCollection of the items"),
    created: { mediaType: GEOJSON, orDone: false },
    errors: ["DATA-NOT-AVAILABLE", "CONFLICT", "TOO-MANY-REQUESTS", ...FILE_ERRORS],
  }),
  replaceItem: defineOperation({
    ...shared,
    method: "PUT",
    path: "/stac/collections/:collectionId/items/:itemId",
    summary: "Replace a registered item",
    description:
      "`If-Match` with the ETag of the item refuses to overwrite the change of another writer. Geometry and files of a " +
      "scene with maps or paid area stay as they are.",
    request: Type.Object(
      { collectionId: CollectionId, itemId: ItemId },
      { title: "StacReplacedItem", additionalProperties: true },
    ),
    response: Document("StacItem", "STAC 1.1.0 item: a scene"),
    headers: IF_MATCH,
    mediaType: GEOJSON,
    errors: ["DATA-NOT-AVAILABLE", "NON-EXISTING-SCENE", "CONFLICT", "PRECONDITION-FAILED", ...FILE_ERRORS],
  }),
  patchItem: defineOperation({
    ...shared,
    method: "PATCH",
    path: "/stac/collections/:collectionId/items/:itemId",
    summary: "Change members of a registered item by a JSON merge patch",
    request: Type.Object(
      { collectionId: CollectionId, itemId: ItemId },
      { title: "StacItemPatch", additionalProperties: true },
    ),
    response: Document("StacItem", "STAC 1.1.0 item: a scene"),
    headers: IF_MATCH,
    mediaType: GEOJSON,
    errors: ["DATA-NOT-AVAILABLE", "NON-EXISTING-SCENE", "CONFLICT", "PRECONDITION-FAILED", ...FILE_ERRORS],
  }),
  deleteItem: defineOperation({
    ...shared,
    method: "DELETE",
    path: "/stac/collections/:collectionId/items/:itemId",
    summary: "Delete an item of the group of the caller, registered or uploaded",
    description: "`/imagery/scene/restore` takes the deletion back within a day. The files of the item stay.",
    request: Type.Object({ collectionId: CollectionId, itemId: ItemId }),
    response: Type.Object(
      { id: Type.String(), restorableUntil: Type.Union([DatetimeSchema, Type.Null()]) },
      { title: "StacDeleted" },
    ),
    errors: ["DATA-NOT-AVAILABLE", "NON-EXISTING-SCENE", "CONFLICT"],
  }),
  importItems: defineFileRoute({
    method: "PUT",
    path: "/stac/collections/:collectionId/import",
    access: "user",
    permissions: RIGHTS,
    summary: "Register many items by lines of JSON",
    description:
      `The body has an item on each line: ${MAX_IMPORT_LINES} lines and ${MAX_IMPORT_BYTES / 1024 / 1024} MiB at most. ` +
      "Items that are there are replaced. Files are read when a scene is first released, so a broken file fails then. " +
      "The answer counts items, and has the reasons of the first refused ones. A request that fails registers nothing.",
    params: Type.Object({ collectionId: CollectionId }),
    query: Type.Object({}),
    mediaTypes: ["application/x-ndjson"],
    schemas: { "application/json": ImportSchema },
    statuses: { 200: "created, replaced, unchanged and refused items", 413: "too many bytes or lines: send parts" },
    errors: ["BAD-REQUEST", "DATA-NOT-AVAILABLE", "PAYLOAD-TOO-LARGE"],
    rateClass: "initiate",
  }),
} as const;
