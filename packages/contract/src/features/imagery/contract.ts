import { Type, type Static } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineFileRoute } from "../../kit/file-route.ts";
import { defineOperation, GEOJSON_BODY_LIMIT_BYTES } from "../../kit/operation.ts";
import { definePipeline } from "../../kit/pipeline-operation.ts";
import { ExtentSchema } from "../../kit/schemas/geojson.ts";
import { IntegerCursorSchema, NextIntegerCursorSchema } from "../../kit/schemas/paging.ts";
import { DatasetIdSchema, MAX_SCENES, ProviderIdSchema, SceneIdSchema, sceneMembers } from "../../kit/schemas/scene.ts";
import { StoreTileSchema } from "../../kit/schemas/tile.ts";
import { DatetimeInputSchema } from "../../kit/schemas/time.ts";
import { SearchCountsSchema, type SearchCounts } from "./search-counts.ts";
import { ERROR_CODES, type ErrorCode } from "@swath/kernel/errors/error-code";
import type { Scene } from "@swath/kernel/scenes/scene";

/** Datasets of one search. */
export const MAX_DATASETS = 100;

export const DatasetNameSchema = Type.Object({ provider: ProviderIdSchema, dataset: DatasetIdSchema });

/** Datasets of a search. */
export const SearchedDatasets = Type.Array(DatasetNameSchema, {
  description: "datasets to search; required unless provider and dataset are given",
  minItems: 1,
  maxItems: MAX_DATASETS,
});

/** Conditions on time and overlap, of a search and of a search that is kept. */
export const searchConditions = {
  startDatetime: Type.Optional(DatetimeInputSchema),
  endDatetime: Type.Optional(DatetimeInputSchema),
  minIntersection: Type.Optional(
    Type.Number({
      description: "least area(extent ∩ scene) / area(extent); 0 means any common area; 0.5 without either threshold",
      minimum: 0,
      maximum: 1,
    }),
  ),
  minAoiIntersection: Type.Optional(
    Type.Number({
      description: "least area(extent ∩ scene) / area(scene); not together with minIntersection",
      minimum: 0,
      maximum: 1,
    }),
  ),
};

const SearchRequestSchema = Type.Object(
  {
    datasets: Type.Optional(SearchedDatasets),
    provider: Type.Optional(ProviderIdSchema),
    dataset: Type.Optional(DatasetIdSchema),
    extent: ExtentSchema,
    ...searchConditions,
    cursor: Type.Optional(IntegerCursorSchema),
    limit: Type.Optional(
      Type.Integer({ description: "scenes per page", minimum: 1, maximum: MAX_SCENES, default: MAX_SCENES }),
    ),
    onlyDownloadable: Type.Optional(Type.Boolean({ description: "omit scenes that cannot be downloaded" })),
    onlyIngested: Type.Optional(Type.Boolean({ description: "omit scenes whose pixels are not in the store" })),
    sceneCoverage: Type.Optional(
      Type.Boolean({ description: "return simplified footprints and allow areas up to 4000 x 4000 km" }),
    ),
    forceRefresh: Type.Optional(
      Type.Boolean({ description: "refresh known scenes of the providers, regardless of their age" }),
    ),
    counts: Type.Optional(
      Type.Boolean({
        description: "add counts by filter to the first page, and the share of the extent to each scene",
      }),
    ),
  },
  { title: "ImagerySearchRequest" },
);
export type SearchRequest = Static<typeof SearchRequestSchema>;

/** A scene of a search result. */
export interface FoundScene extends Scene {
  readonly downloadable: boolean;
  /** Least charged area, km². */
  readonly minArea: number;
  readonly clippedImagery: boolean;
  /** Share of the extent that the scene covers, 0 to 1; only where `counts` asks for it. */
  readonly extentShare?: number;
}

const FoundSceneSchema = Type.Unsafe<FoundScene>(
  Type.Object(
    {
      ...sceneMembers,
      downloadable: Type.Boolean({ description: "whether the caller can download it" }),
      minArea: Type.Number({ description: "least area that is charged, km2" }),
      clippedImagery: Type.Boolean({ description: "whether it is a cutting of a larger scene" }),
      extentShare: Type.Optional(
        Type.Number({
          description: "area(extent ∩ scene) / area(extent); only where counts asks for it",
          minimum: 0,
          maximum: 1,
        }),
      ),
    },
    { title: "FoundScene", description: "a scene of a search result" },
  ),
);

/** A dataset whose source did not answer. */
export interface FailedDataset {
  readonly provider: string;
  readonly dataset: string;
  readonly errorCode: ErrorCode;
  readonly errorMessage: string;
}

/** Why a search found nothing. */
export interface EmptySearch {
  readonly code: (typeof EMPTY_CODES)[number];
  readonly message: string;
}

const EMPTY_CODES = [
  "BELOW-MIN-INTERSECTION",
  "OUTSIDE-INTERVAL",
  "NOT-INGESTED",
  "NOT-DOWNLOADABLE",
  "NO-SCENE",
] as const;

export interface SearchResult {
  readonly results: readonly FoundScene[];
  readonly cursor: number | null;
  /** Only where the first page has no scene. */
  readonly empty?: EmptySearch;
  /** Only on the first page, where asked for. */
  readonly counts?: SearchCounts;
  /** Only in partial results. */
  readonly failedDatasets?: readonly FailedDataset[];
}

const searchResultMembers = {
  results: Type.Array(FoundSceneSchema),
  cursor: NextIntegerCursorSchema,
  empty: Type.Optional(
    Type.Object(
      {
        code: Type.Enum([...EMPTY_CODES], {
          description:
            "the condition of the request that leaves scenes out: minIntersection or minAoiIntersection, " +
            "startDatetime and endDatetime, onlyIngested, onlyDownloadable; NO-SCENE: none of them",
        }),
        message: Type.String({ examples: ["3 scenes cover less than half of the area"] }),
      },
      { description: "reason of an empty first page" },
    ),
  ),
  counts: Type.Optional(SearchCountsSchema),
};

const SearchResultSchema = Type.Unsafe<SearchResult>(
  Type.Object(searchResultMembers, { title: "ImagerySearchResult" }),
);

const PartialSearchResultSchema = Type.Unsafe<SearchResult>(
  Type.Object(
    {
      ...searchResultMembers,
      failedDatasets: Type.Array(
        Type.Object({
          provider: ProviderIdSchema,
          dataset: DatasetIdSchema,
          errorCode: Type.Enum([...ERROR_CODES]),
          errorMessage: Type.String(),
        }),
        { description: "datasets of unresponsive providers" },
      ),
    },
    { title: "PartialImagerySearchResult", description: "results of the responsive providers" },
  ),
);

const SceneInfoRequestSchema = Type.Object(
  {
    sceneId: SceneIdSchema,
    tiles: Type.Optional(
      Type.Array(StoreTileSchema, {
        description: "restricts the footprint to these store tiles",
        maxItems: 10_000,
      }),
    ),
    forceOffline: Type.Optional(Type.Boolean({ description: "restricts the footprint to stored pixels" })),
  },
  { title: "SceneInfoRequest" },
);
export type SceneInfoRequest = Static<typeof SceneInfoRequestSchema>;

const SceneInfoSchema = Type.Unsafe<Scene>(Type.Object(sceneMembers, { title: "SceneInfo" }));

const IntervalSchema = (description: string) =>
  Type.Object({ min: Type.Number(), max: Type.Number() }, { description });

const TaskingInfoSchema = Type.Object(
  {
    allowedTaskingGeometry: Type.Array(Type.Enum(["Point", "Polygon"])),
    costMultiplier: Type.Number({ description: "factor on the price of archive imagery" }),
    feasibilityHourOffset: IntervalSchema("latest end of a feasibility study, hours from now"),
    preallocationAreaKm2: Type.Number({ description: "least reserved area, km2" }),
    priorities: Type.Array(Type.String(), { description: "priorities of orders of this kind" }),
    taskingHourDuration: IntervalSchema("length of the window of an order, hours"),
    taskingHourOffset: IntervalSchema("latest start of an order, hours from now"),
    taskingResolution: IntervalSchema("ground sampling distance, metres"),
  },
  { title: "TaskingInfo" },
);

const DatasetListingSchema = Type.Object(
  {
    providerName: Type.String(),
    datasetName: Type.String(),
    provider: ProviderIdSchema,
    dataset: DatasetIdSchema,
    downloadable: Type.Boolean({
      description:
        "whether the caller can download its scenes; false without a token and where only what is in the store is usable",
    }),
    requiresSeparateSearch: Type.Boolean({ description: "must be searched alone" }),
    datasetType: Type.Enum(["optical", "sar-grd", "sar-slc", "probabilities", "environmental"]),
    thumbnail: Type.Boolean(),
    exportable: Type.Boolean({ description: "the pixels themselves can be downloaded" }),
    maxMbrSide: Type.Number({ description: "longest side of the bounding rectangle of an extent, metres" }),
    attribution: Type.String(),
    clip: Type.Enum(["required", "disallowed"]),
    resolution: Type.Array(Type.Number(), {
      description: "finest and coarsest, metres per pixel",
      minItems: 2,
      maxItems: 2,
    }),
    visualizationBands: Type.Optional(Type.Array(Type.String())),
    searchable: Type.Boolean({ description: "whether the caller can search its scenes; false without a token" }),
    catalogAccess: Type.Boolean({
      description: "has scenes beyond the store; without, scenes are found with onlyIngested",
    }),
    canBeIngested: Type.Boolean({ description: "existing deliveries can be uploaded" }),
    changeGroup: Type.String({ description: "scenes of datasets of one group can be compared" }),
    externalProvider: Type.String(),
    taskingInfo: Type.Optional(
      Type.Record(Type.String(), TaskingInfoSchema, {
        description: "orderable products, by kind of tasking: flexible, assured",
      }),
    ),
  },
  { title: "DatasetListing" },
);
export type DatasetListing = Static<typeof DatasetListingSchema>;

export const imageryContract = {
  search: definePipeline({
    path: "/imagery/search",
    lane: "quick",
    summary: "Search scenes over an area",
    description:
      "Newest first. A page holds 1000 scenes by default; pass the cursor to a new search for more. Needs " +
      "imagery.images.<provider>.<dataset> for each dataset, and store.ingested with onlyIngested. An " +
      "unresponsive provider makes the search fail; allowPartial retrieves the results of the other " +
      "providers.",
    permissions: ["imagery.availability"],
    contentPermissions: ["imagery.images.<provider>.<dataset>"],
    conditionalPermissions: ["store.ingested"],
    dynamicPermissions: ({ onlyIngested }) => (onlyIngested === true ? ["store.ingested"] : []),
    request: SearchRequestSchema,
    result: SearchResultSchema,
    partialResult: PartialSearchResultSchema,
    emptyResult: { results: [], cursor: null },
    errors: [
      "DATASET-NOT-SUPPORTED-FOR-SEARCH",
      "DATASETS-NEED-SEPARATE-SEARCH",
      "EXTENT-TOO-LARGE",
      "INVALID-CURSOR",
      "SCENE-UNREADABLE",
      "SERVICE-UNAVAILABLE",
    ],
    bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
  }),
  sceneInfo: defineOperation({
    path: "/imagery/scene-info",
    summary: "Get the metadata of a scene",
    permissions: ["imagery.scene-info"],
    request: SceneInfoRequestSchema,
    response: SceneInfoSchema,
    errors: ["NON-EXISTING-SCENE", "DATA-NOT-AVAILABLE", "EXTENT-HAS-NO-INTERSECTION", "SERVICE-UNAVAILABLE"],
  }),
  listDatasets: defineOperation({
    path: "/imagery/datasets/list",
    summary: "List the datasets of all providers",
    description: "Public. A token needs imagery.availability; `downloadable` then describes the rights of the caller.",
    access: "optional",
    request: Type.Object({}, { title: "DatasetListRequest" }),
    response: Type.Array(DatasetListingSchema),
  }),
  thumbnail: defineFileRoute({
    path: "/imagery/thumbnail",
    summary: "Get a small picture of a scene",
    description: "JPEG, PNG or WebP by the Accept header; the longest side has at most 512 pixels.",
    contentPermissions: ["imagery.images.<provider>.<dataset>"],
    params: Type.Object({}),
    // No limit of length: an impossible identifier is a missing scene.
    query: Type.Object({ scene_id: Type.String({ description: "scene identifier" }) }),
    mediaTypes: ["image/jpeg", "image/png", "image/webp"],
    statuses: {
      200: "the thumbnail",
      304: "the copy of the caller is current",
      404: "the scene identifier is invalid, or the scene has no thumbnail",
    },
    errors: ["NON-EXISTING-SCENE", "DATA-NOT-AVAILABLE"],
    rateClass: "read",
  }),
} as const satisfies FeatureContract;
