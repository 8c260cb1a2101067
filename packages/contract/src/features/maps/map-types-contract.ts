import { Type } from "typebox";
import { defineOperation } from "../../kit/operation.ts";

const Colors = Type.Record(Type.String(), Type.Array(Type.Integer({ minimum: 0, maximum: 255 })));

const legendMembers = {
  segmentationMetadata: Type.Optional(
    Type.Object({ segmentationColors: Colors }, { description: "[red, green, blue] by class" }),
  ),
  segmentationHierarchy: Type.Optional(
    Type.Object({
      baseClasses: Type.Array(Type.String()),
      parentClasses: Type.Record(Type.String(), Type.Array(Type.String())),
      masterClass: Type.String(),
    }),
  ),
  deprecatedClasses: Type.Record(Type.String(), Colors, { description: "colours by class, of the latest version" }),
};

const DatasetSettings = Type.Object({
  version: Type.Integer(),
  is_global: Type.Boolean({ description: "whether pixels depend on the whole scene" }),
  max_gsd: Type.Union([Type.Number(), Type.Null()], {
    description: "metres; scenes with coarser pixels are refused; null for no limit",
  }),
  margin_m: Type.Number({ description: "metres around a pixel that its result depends on" }),
  margin_px: Type.Number({ description: "pixels around a pixel that its result depends on" }),
  min_size_px: Type.Number({
    description: "pixels of the smallest kept region; for detectors of outlines, across the smallest object",
  }),
  resolution: Type.Union([Type.Number(), Type.Null()], { description: "metres; null for the scene's own" }),
});

const MapTypeListing = Type.Object({
  mapType: Type.String(),
  group: Type.String({ description: "group of map types", examples: ["vegetation"] }),
  scenes: Type.Object(
    { min: Type.Integer({ minimum: 1 }), max: Type.Integer({ minimum: 1 }) },
    { description: "scenes of one map: 1 to 1, 2 to 2 for pairs, more for series" },
  ),
  description: Type.String(),
  maturity: Type.Enum(["validated", "self-tested", "experimental"], {
    description:
      "grade of the evidence for the accuracy; `validated`: meets a bar on labelled real scenes that chose none of its " +
      "limits; `self-tested`: not validated on real imagery, measured on simulated scenes; `experimental`: not validated on " +
      "real imagery, and too little evidence or too low figures to decide by",
    examples: ["validated"],
  }),
  maturityMeaning: Type.String({
    description: "meaning of the grade; without labelled real scenes it begins with `Not validated on real imagery`",
    examples: ["Meets a bar on real scenes, by labels or reference values that chose none of its limits."],
  }),
  gridFiles: Type.Record(Type.String(), Type.Array(Type.String()), { description: "file names by suffix" }),
  availableDatasets: Type.Record(Type.String(), Type.Array(Type.Tuple([Type.String(), DatasetSettings])), {
    description: "[dataset, settings] by provider, limited to the rights of the caller",
  }),
  parameters: Type.Optional(
    Type.Record(Type.String(), Type.Number(), {
      description: "constants of an index by name; index:<map type>:<name>=<number>,… changes them",
    }),
  ),
  ...legendMembers,
});

export const MapTypeLegend = Type.Object({
  mapType: Type.String(),
  ...legendMembers,
  maxZoom: Type.Optional(
    Type.Integer({ description: "deepest zoom of the tiles of the map; absent where the map holds no tiles" }),
  ),
});

export type MapTypeListing = Type.Static<typeof MapTypeListing>;
export type MapTypeLegend = Type.Static<typeof MapTypeLegend>;

const Name = (description: string) => Type.String({ description, minLength: 1, maxLength: 128 });

const ListMapTypesRequest = Type.Object(
  {
    provider: Type.Optional(
      Name("only for datasets of this provider, which `availableDatasets` then calls by this name"),
    ),
    dataset: Type.Optional(Name("only for this dataset")),
    group: Type.Optional({ ...Name("only of this group"), examples: ["vegetation"] }),
  },
  { title: "ListMapTypesRequest" },
);

export type ListMapTypesRequest = Type.Static<typeof ListMapTypesRequest>;

export const listMapTypes = defineOperation({
  path: "/mapsvc/map-types/list",
  permissions: ["mapsvc.release"],
  summary: "List the map types that the caller may release",
  description: "A filter for a dataset or a group that does not exist is refused (422).",
  request: ListMapTypesRequest,
  response: Type.Array(MapTypeListing),
});

export const listMapTypesShort = defineOperation({
  path: "/mapsvc/map-types",
  permissions: ["mapsvc.release"],
  summary: "List the map types that the caller may release (short path)",
  request: ListMapTypesRequest,
  response: Type.Array(MapTypeListing),
});
