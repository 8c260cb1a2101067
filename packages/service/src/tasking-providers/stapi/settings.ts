import { Type, type Static } from "typebox";
import { connectionSettings } from "../../sources/stac/config.ts";

const name = { minLength: 1, maxLength: 100 };
const Name = Type.String(name);

const change = {
  values: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'What each value is called at the provider, such as {"urgent": "RUSH"}; others are sent as they are.',
    }),
  ),
  scale: Type.Optional(Type.Number({ description: "Factor of a number, such as 100 for percent." })),
};

const fixed = { value: Type.Unknown({ description: "The same for every order." }) };
const fromOrder = {
  from: Type.Enum(["orderId", "priority", "maxCloudCover", "offer", "mode", "satellite"], {
    description: "A member of the order.",
  }),
  ...change,
};
const fromOption = { option: Type.String({ ...name, description: "A member of the `orderOptions`." }), ...change };
const closed = { additionalProperties: false };

const Parameter = Type.Union([
  Type.Object(fixed, closed),
  Type.Object(fromOrder, closed),
  Type.Object(fromOption, closed),
]);

const comparison = { property: Name, op: Type.Enum(["=", "<", "<=", ">", ">="]) };
const Clause = Type.Union([
  Type.Object({ ...comparison, ...fixed }, closed),
  Type.Object({ ...comparison, ...fromOrder }, closed),
  Type.Object({ ...comparison, ...fromOption }, closed),
]);

/** Settings that bind the tasking of one dataset to a product of a STAPI provider. */
export const StapiSettings = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 1000,
      pattern: "^https?://",
      description: "Landing page of the API, such as `https://stapi.acme.example`.",
    }),
    ...connectionSettings,
    product: Type.String({ minLength: 1, maxLength: 200, description: "Identifier of the product that is ordered." }),
    opportunities: Type.Optional(
      Type.Enum(["auto", "sync", "async", "none"], {
        default: "auto",
        description:
          "How windows are asked for. `auto` takes what the product offers, `none` computes them from the satellites of the dataset.",
      }),
    ),
    mode: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: "Imaging mode; else the product." })),
    parameters: Type.Optional(
      Type.Record(Name, Parameter, {
        maxProperties: 50,
        description:
          "Where each of the `order_parameters` of the product comes from; one without a value is left out. " +
          "One from `orderId` lets the service recognize its orders at the provider.",
      }),
    ),
    filter: Type.Optional(
      Type.Array(Clause, {
        maxItems: 20,
        description: "Comparisons with queryables of the product, sent as CQL2; one without a value is left out.",
      }),
    ),
    windowFields: Type.Optional(
      Type.Partial(
        Type.Object({
          offNadirDeg: Name,
          incidenceDeg: Name,
          lookSide: Name,
          pass: Name,
          satellite: Name,
        }),
        {
          additionalProperties: false,
          description:
            "Properties of opportunities, `view:off_nadir`, `view:incidence_angle`, `sar:observation_direction`, " +
            "`sat:orbit_state` and `platform` unless given.",
        },
      ),
    ),
    deliveryRels: Type.Optional(
      Type.Array(Name, {
        minItems: 1,
        maxItems: 20,
        description: 'Relations of links to delivered images; `["item", "data", "enclosure"]` unless given.',
      }),
    ),
    assets: Type.Optional(
      Type.Array(Name, {
        minItems: 1,
        maxItems: 20,
        description:
          "Assets of delivered STAC items, the first one there is taken; else the first GeoTIFF of the data.",
      }),
    ),
    cancel: Type.Optional(
      Type.Enum(["link", "delete", "none"], {
        default: "link",
        description:
          "How orders are cancelled: by a link `cancel` of the order, by DELETE of the order, or not at all.",
      }),
    ),
    searchSeconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 3600, default: 120, description: "Longest search for opportunities." }),
    ),
    pollSeconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 86_400,
        default: 300,
        description: "From one question for an order to the next.",
      }),
    ),
    settleMinutes: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1440,
        default: 10,
        description:
          "An order whose answer was lost appears among the orders of the provider within this time, or was not taken.",
      }),
    ),
    maxOrders: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: 1_000_000,
        default: 20_000,
        description: "Most orders of the provider that are searched for one whose answer was lost.",
      }),
    ),
  },
  { additionalProperties: false, description: "A product of a STAPI provider." },
);
export type StapiSettings = Static<typeof StapiSettings>;
export type ParameterSource = Static<typeof Parameter>;
