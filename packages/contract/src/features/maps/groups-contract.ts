import { Type } from "typebox";
import { defineOperation } from "../../kit/operation.ts";

const Ids = Type.Array(Type.String());

const MapGroup = Type.Object({
  icon: Type.String({ description: "name of a symbol of the Material Symbols set" }),
  title: Type.String(),
  description: Type.String(),
  longDescription: Type.String(),
  mapTypes: Type.Optional({ ...Ids, description: "ids, when they are the same at every resolution" }),
  types: Type.Optional(
    Type.Record(Type.String(), Ids, { description: "ids by resolution class: high, medium-high, low" }),
  ),
});

const MapGroups = Type.Record(Type.String(), MapGroup, { description: "groups by id, in the order of their listing" });

export type MapGroups = Type.Static<typeof MapGroups>;

export const mapGroupsOfMap = defineOperation({
  method: "GET",
  path: "/mapsvc/map-groups/:map_id",
  access: "public",
  summary: "List the groups of map types for the scene of a map",
  description:
    "Map types for datasets of the same kind as the dataset of the map, each in one group. A group has " +
    "`mapTypes`, or `types` where the resolution of a dataset decides.",
  request: Type.Object({
    map_id: Type.String({ description: "signed map ID of a release", minLength: 1, maxLength: 4096 }),
  }),
  response: MapGroups,
  errors: ["INVALID-MAP-ID"],
});
