import { ERROR_CODES, type ErrorCode } from "@swath/kernel/errors/error-code";
import type { Point, Polygon } from "@swath/kernel/geometry/geojson";
import { Type, type Static } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineOperation } from "../../kit/operation.ts";
import { definePipeline } from "../../kit/pipeline-operation.ts";
import { PlaceOrPolygonSchema, PolygonSchema } from "../../kit/schemas/geojson.ts";
import { DatasetIdSchema, ProviderIdSchema } from "../../kit/schemas/scene.ts";
import { MAX_ORDERS, OrderParametersSchema, PlacedOrderSchema, WindowIdSchema } from "./order-parameters.ts";

/** Windows of one study. */
export const MAX_WINDOWS = 200;

/** A time in which a provider offers a capture. */
export interface FeasibilityWindow {
  readonly windowId: string;
  readonly provider: string;
  /** Date-time, as all times of tasking. */
  readonly startTime: string;
  readonly endTime: string;
  readonly satellite: string;
  readonly mode: string;
  /** Degrees; null where the provider does not say, as the members below. */
  readonly offNadir: number | null;
  readonly incidence: number | null;
  readonly lookSide: "left" | "right" | null;
  readonly pass: "ascending" | "descending" | null;
  readonly sunElevation: number | null;
  /** 0..1 of the area. */
  readonly coverageRatio: number;
  readonly cloudCover: number;
  readonly cloudProbability: number;
  /** Credits. */
  readonly price: number;
  readonly uncertaintySeconds: number;
  readonly expectedAttempts: number | null;
  readonly strips: readonly Polygon[];
  /** Date-time; null where the provider names no elements. */
  readonly elementsEpoch: string | null;
  readonly expiresAt: string;
}

/** Mean elements of SGP4 that windows were computed from, by the names of orbit messages (CCSDS 502.0). */
export interface FeasibilityOrbit {
  readonly satellite: string;
  readonly catalogueNumber: number;
  readonly epoch: string;
  /** Revolutions per day. */
  readonly meanMotion: number;
  readonly eccentricity: number;
  /** Degrees, as the members below. */
  readonly inclination: number;
  readonly raOfAscNode: number;
  readonly argOfPericenter: number;
  readonly meanAnomaly: number;
}

/** Reason of a study without windows. */
export interface EmptyFeasibility {
  readonly code: (typeof EMPTY_CODES)[number];
  readonly message: string;
}

const EMPTY_CODES = ["NO-PASS", "TOO-SOON"] as const;

export interface FeasibilityResult {
  readonly provider: string;
  readonly dataset: string;
  readonly geometry: Polygon;
  readonly originalGeometry: Point | Polygon;
  readonly areaKm2: number;
  readonly windows: readonly FeasibilityWindow[];
  readonly orbits: readonly FeasibilityOrbit[];
  /** Only where there is no window. */
  readonly empty?: EmptyFeasibility;
}

/** A study of a batch without an answer. */
export interface FailedFeasibility {
  /** Place among `params`. */
  readonly index: number;
  readonly dataset: string;
  readonly error: ErrorCode;
  readonly errorMessage: string;
}

export interface MultiFeasibilityResult {
  readonly failedDatasets: readonly FailedFeasibility[];
  readonly results: readonly FeasibilityResult[];
}

const Moment = (description: string) => Type.String({ description, format: "date-time" });
const Ratio = (description: string) => Type.Number({ description, minimum: 0, maximum: 1 });
const Degrees = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], {
    description: `${description}, degrees; null: not stated by the provider`,
  });
const Side = (first: string, second: string) =>
  Type.Union([Type.Enum([first, second]), Type.Null()], { description: "null: not stated by the provider" });

const WindowSchema = Type.Object(
  {
    windowId: WindowIdSchema,
    provider: ProviderIdSchema,
    startTime: Moment("begin of the window"),
    endTime: Moment("end of the window"),
    satellite: Type.String(),
    mode: Type.String({ description: "imaging mode" }),
    offNadir: Degrees("angle between nadir and the area, at closest approach"),
    incidence: Degrees("angle between the vertical of the area and the satellite"),
    lookSide: Side("left", "right"),
    pass: Side("ascending", "descending"),
    sunElevation: Degrees("elevation of the sun over the area, negative at night"),
    coverageRatio: Ratio("share of the area that the pass can image"),
    cloudCover: Ratio("expected cloud cover; 0 for radar"),
    cloudProbability: Ratio("probability that a capture has no more clouds than the limit of the order"),
    price: Type.Number({ description: "price of an order of this window, credits" }),
    uncertaintySeconds: Type.Number({ description: "the window may begin and end by so much earlier or later" }),
    expectedAttempts: Type.Union([Type.Number({ minimum: 1 }), Type.Null()], {
      description: "captures until one meets the limit of clouds, on average; null: none is expected to",
    }),
    strips: Type.Array(PolygonSchema, { description: "imaged areas, one for each strip along the track" }),
    elementsEpoch: Type.Union([Moment("epoch of the orbit in `orbits`"), Type.Null()], {
      description: "orbit that the window was computed from; null where the provider names none",
    }),
    expiresAt: Moment("orders of the window and its price are accepted until then"),
  },
  { title: "FeasibilityWindow" },
);

const OrbitSchema = Type.Object(
  {
    satellite: Type.String(),
    catalogueNumber: Type.Integer({ description: "number of the satellite catalogue" }),
    epoch: Moment("moment of the elements"),
    meanMotion: Type.Number({ description: "revolutions per day" }),
    eccentricity: Type.Number(),
    inclination: Type.Number({ description: "degrees, as the angles below" }),
    raOfAscNode: Type.Number(),
    argOfPericenter: Type.Number(),
    meanAnomaly: Type.Number(),
  },
  { title: "FeasibilityOrbit", description: "mean elements of SGP4" },
);

const FeasibilityResultSchema = Type.Unsafe<FeasibilityResult>(
  Type.Object(
    {
      provider: ProviderIdSchema,
      dataset: DatasetIdSchema,
      geometry: { ...PolygonSchema, description: "ordered and charged area" },
      originalGeometry: { ...PlaceOrPolygonSchema, description: "geometry of the request" },
      areaKm2: Type.Number({ description: "charged area, km2" }),
      windows: Type.Array(WindowSchema, {
        description: "ascending by start; a window does not guarantee a capture",
        maxItems: MAX_WINDOWS,
      }),
      orbits: Type.Array(OrbitSchema, {
        description: "orbits that the windows were computed from, by satellite and epoch",
        maxItems: MAX_WINDOWS,
      }),
      empty: Type.Optional(
        Type.Object(
          {
            code: Type.Enum([...EMPTY_CODES], {
              description: "NO-PASS: the provider offers none; TOO-SOON: orders could not be placed in time",
            }),
            message: Type.String(),
          },
          { description: "reason of a study without windows" },
        ),
      ),
    },
    { title: "FeasibilityResult" },
  ),
);

const MultiFeasibilityResultSchema = Type.Unsafe<MultiFeasibilityResult>(
  Type.Object(
    {
      failedDatasets: Type.Array(
        Type.Object({
          index: Type.Integer({ description: "place among params, from 0", minimum: 0 }),
          dataset: DatasetIdSchema,
          error: Type.Enum([...ERROR_CODES]),
          errorMessage: Type.String(),
        }),
        { description: "studies without an answer, and the reason" },
      ),
      results: Type.Array(FeasibilityResultSchema, { description: "in the order of params" }),
    },
    { title: "MultiFeasibilityResult" },
  ),
);

const MultiFeasibilityRequest = Type.Object(
  {
    params: Type.Array(OrderParametersSchema, {
      description: "one study each",
      minItems: 1,
      maxItems: MAX_ORDERS,
    }),
  },
  { title: "MultiFeasibilityRequest" },
);
export type MultiFeasibilityRequest = Static<typeof MultiFeasibilityRequest>;

const CreditCheck = Type.Object(
  {
    areaKm2: Type.Number({ description: "charged area, km2" }),
    cost: Type.Number({ description: "charge of the order, credits" }),
    groupId: Type.String({ description: "group that pays" }),
    remainingCredit: Type.Number({ description: "remaining credit of the caller in that group, credits" }),
  },
  { title: "TaskingCreditCheck" },
);
export type CreditCheck = Static<typeof CreditCheck>;

const STUDY_ERRORS = ["EXTENT-TOO-LARGE", "NO-VALID-BINDING", "SERVICE-UNAVAILABLE"] as const;

/** Studies of when a capture is possible, and their prices. */
export const feasibilityContract = {
  feasibility: definePipeline({
    path: "/scene-tasking/feasibility",
    lane: "quick",
    access: "user",
    unknownMembers: "refuse",
    summary: "Find the times in which an area can be captured",
    description:
      "Computes the passes of the satellites of a dataset. A window states geometry, clouds, price and accuracy; an " +
      "order names it. Windows are offered until `expiresAt`, to the whole group.",
    request: OrderParametersSchema,
    result: FeasibilityResultSchema,
    errors: STUDY_ERRORS,
  }),
  multiFeasibility: definePipeline({
    path: "/scene-tasking/multi-feasibility",
    lane: "quick",
    access: "user",
    unknownMembers: "refuse",
    summary: "Find the times in which several datasets can capture areas",
    description:
      "One study for each element of `params`, side by side. `allowPartial` retrieves the studies that have an answer " +
      "already. A study that fails is named in `failedDatasets` and does not fail the others.",
    request: MultiFeasibilityRequest,
    result: MultiFeasibilityResultSchema,
    emptyResult: { failedDatasets: [], results: [] },
    errors: STUDY_ERRORS,
    // A token for each study.
    work: { maps: ({ params }) => params.length * 10 },
  }),
  checkTaskingCredit: defineOperation({
    path: "/scene-tasking/check-credit",
    access: "user",
    unknownMembers: "refuse",
    permissions: ["scene-tasking.check-credit"],
    summary: "Check the cost of an order",
    description: "Takes the body of an order and returns its charge. Nothing is ordered.",
    request: PlacedOrderSchema,
    response: CreditCheck,
    errors: ["EXTENT-TOO-LARGE", "LICENSE-EXPIRED", "NON-EXISTENT-WINDOW"],
  }),
} as const satisfies FeatureContract;
