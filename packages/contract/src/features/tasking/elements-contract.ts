import { Type } from "typebox";
import type { Static } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineOperation } from "../../kit/operation.ts";
import { IntegerCursorSchema, NextIntegerCursorSchema } from "../../kit/schemas/paging.ts";

/** Characters of one import: some 1,500 sets as lines, 200 as XML. */
const MAX_ELEMENTS_CHARACTERS = 250_000;
const MAX_LISTED = 200;

const CatalogueNumber = Type.Integer({
  description: "number of the satellite catalogue",
  minimum: 1,
  maximum: 999_999_999,
});
const OrNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const ImportedSet = Type.Object(
  {
    position: Type.String({ description: "place in the text, such as line 3 or set 2" }),
    status: Type.Enum(["imported", "known", "ignored", "refused"], {
      description: "known: stored already; ignored: no dataset has the satellite; refused: for the reasons given",
    }),
    catalogueNumber: OrNull(Type.Integer(), "null for a set that cannot be read"),
    name: OrNull(Type.String(), "name of the satellite"),
    epoch: OrNull(Type.String({ format: "date-time" }), "moment that the elements describe"),
    reasons: Type.Array(Type.String(), { description: "why the set is refused, or a warning about its age" }),
  },
  { title: "ImportedElementSet" },
);
export type ImportedSet = Static<typeof ImportedSet>;

const ImportElementsRequest = Type.Object(
  {
    elements: Type.String({
      description: "two-line element sets with or without names, or OMM as JSON, XML or keyword-value notation",
      minLength: 1,
      maxLength: MAX_ELEMENTS_CHARACTERS,
    }),
  },
  { title: "ImportElementsRequest" },
);

export const ImportElementsAnswer = Type.Object(
  {
    format: Type.Enum(["tle", "omm-json", "omm-xml", "omm-kvn"], { description: "as recognised" }),
    imported: Type.Integer({ description: "sets that are new" }),
    results: Type.Array(ImportedSet, { description: "one for each set, in the order of the text" }),
  },
  { title: "ImportElementsAnswer" },
);
export type ImportElementsAnswer = Static<typeof ImportElementsAnswer>;
export type ElementsFormat = ImportElementsAnswer["format"];

export const ListElementsRequest = Type.Object(
  {
    catalogueNumber: Type.Optional(CatalogueNumber),
    newestOnly: Type.Optional(
      Type.Boolean({ description: "only the set of each satellite that windows are computed from", default: false }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LISTED, default: 100 })),
    cursor: Type.Optional(IntegerCursorSchema),
  },
  { title: "ListElementsRequest" },
);
export type ListElementsRequest = Static<typeof ListElementsRequest>;

const ListedSet = Type.Object(
  {
    id: Type.Integer({ description: "grows with every import; a set is never overwritten" }),
    catalogueNumber: CatalogueNumber,
    name: Type.String(),
    epoch: Type.String({ format: "date-time", description: "moment that the elements describe" }),
    ageDays: Type.Number({ description: "from the epoch to now" }),
    state: Type.Enum(["fresh", "stale", "refused"], {
      description: "stale: older than 14 days, used with a warning; refused: older than 60 days",
    }),
    format: Type.String({ description: "of the import" }),
    importedBy: Type.String({ description: "user" }),
    importedAt: Type.String({ format: "date-time" }),
    elements: Type.Object(
      {
        meanMotionRevPerDay: Type.Number(),
        eccentricity: Type.Number(),
        inclinationDeg: Type.Number(),
        nodeDeg: Type.Number({ description: "right ascension of the ascending node" }),
        perigeeDeg: Type.Number({ description: "argument of perigee" }),
        meanAnomalyDeg: Type.Number(),
        bstar: Type.Number({ description: "drag term, per earth radius" }),
        meanMotionDot: Type.Number(),
        meanMotionDdot: Type.Number(),
        objectId: Type.String({ description: "international designator, or empty" }),
      },
      { description: "mean elements of SGP4" },
    ),
  },
  { title: "ListedElementSet" },
);
export type ListedSet = Static<typeof ListedSet>;

const ListElementsAnswer = Type.Object(
  { results: Type.Array(ListedSet), cursor: NextIntegerCursorSchema },
  { title: "ListElementsAnswer" },
);
export type ListElementsAnswer = Static<typeof ListElementsAnswer>;

/** Element sets of the satellites that take orders. */
export const elementsContract = {
  importElements: defineOperation({
    path: "/scene-tasking/elements/import",
    unknownMembers: "refuse",
    access: "user",
    permissions: ["admin.tasking.import-elements"],
    summary: "Import element sets of satellites",
    description:
      "Sets of satellites that a dataset names are stored beside earlier ones; windows use the newest epoch. A set " +
      "is refused for a wrong checksum, and for another mean motion than configured. So is an eccentricity of 0.02 " +
      "or more, and an epoch more than 60 days from now. The other sets of the text are imported.",
    request: ImportElementsRequest,
    response: ImportElementsAnswer,
  }),
  listElements: defineOperation({
    path: "/scene-tasking/elements/list",
    unknownMembers: "refuse",
    access: "user",
    permissions: ["admin.tasking.list-elements"],
    summary: "List imported element sets, latest import first",
    request: ListElementsRequest,
    response: ListElementsAnswer,
  }),
} as const satisfies FeatureContract;
