import { Type, type Static } from "typebox";

const Host = Type.String({
  minLength: 1,
  maxLength: 300,
  pattern:
    "^(?:https?://)?(?:\\*\\.)?[A-Za-z0-9._-]+(?::\\d{1,5})?$|^(?:https?://)?\\[[0-9A-Fa-f:.]+\\](?::\\d{1,5})?$",
  description:
    "`example.com`, `*.example.com` (any number of labels) or with a port; reached by https unless it starts with `http://`. " +
    "An address of a private network is reached only when it is listed as such.",
});

const Secret = Type.Union(
  [
    Type.Object({ env: Type.String({ minLength: 1, maxLength: 200 }) }, { additionalProperties: false }),
    Type.Object({ file: Type.String({ minLength: 1, maxLength: 1000 }) }, { additionalProperties: false }),
  ],
  { description: "Environment variable or file that holds the secret." },
);

const credentialHosts = {
  hosts: Type.Array(Host, {
    minItems: 1,
    maxItems: 50,
    description: "Where it is sent; no other host ever sees it, redirects included.",
  }),
};

const Credential = Type.Union([
  Type.Object({ kind: Type.Literal("bearer"), ...credentialHosts, token: Secret }, { additionalProperties: false }),
  Type.Object(
    {
      kind: Type.Literal("basic"),
      ...credentialHosts,
      user: Type.String({ minLength: 1, maxLength: 300 }),
      password: Secret,
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      kind: Type.Literal("header"),
      ...credentialHosts,
      name: Type.String({ pattern: "^[A-Za-z0-9-]{1,100}$" }),
      value: Secret,
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      kind: Type.Literal("query"),
      ...credentialHosts,
      token: Secret,
    },
    { additionalProperties: false, description: "A query string such as `sig=…` added to every address." },
  ),
  Type.Object(
    {
      kind: Type.Literal("sas"),
      ...credentialHosts,
      tokenUrl: Type.String({ minLength: 1, maxLength: 1000, pattern: "^https?://" }),
    },
    {
      additionalProperties: false,
      description:
        "A query string that is asked for: GET `tokenUrl` answers `token` and `msft:expiry`. Its host must be listed too.",
    },
  ),
]);

const BandAssets = Type.Record(
  Type.String({ minLength: 1, maxLength: 50 }),
  Type.Union([
    Type.String({ minLength: 1, maxLength: 100 }),
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 20 }),
  ]),
  {
    description:
      'Asset of each band, by the band\'s name: keys to try in turn, `*` for any text, `#2` behind it for the second band of the asset, such as {"B04": ["red", "B04*"]}. ' +
      "Without it the bands are those of the assets whose meaning the items state.",
  },
);

/** How items become scenes. */
export const itemSettings = {
  where: Type.Optional(
    Type.Record(
      Type.String({ minLength: 1, maxLength: 100 }),
      Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
      {
        description:
          'Properties that items must have, such as {"platform": "landsat-8", "landsat:collection_category": "T1"}.',
      },
    ),
  ),
  bands: Type.Optional(BandAssets),
  satellite: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: "Of items that state no platform." }),
  ),
  sensor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 50,
      description: "Table of band names, such as `sentinel-2`; else by the platform.",
    }),
  ),
  harmonize: Type.Optional(
    Type.Boolean({
      default: true,
      description:
        "Whether pixels of Sentinel-2 products since baseline 04.00 are brought to the scale of those before, by subtracting 1000.",
    }),
  ),
};

const datasetSettings = {
  collections: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 10 }),
  ...itemSettings,
};

/** Hosts that may be asked, and how. */
export const connectionSettings = {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: "For messages; else the host." })),
  hosts: Type.Optional(
    Type.Array(Host, {
      maxItems: 100,
      description: "Hosts besides that of `url` that may be asked, such as those where assets lie.",
    }),
  ),
  privateHosts: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
      maxItems: 50,
      description: "Names among the hosts that may resolve to addresses of a private network.",
    }),
  ),
  credentials: Type.Optional(Type.Array(Credential, { maxItems: 20 })),
  rewriteHrefs: Type.Optional(
    Type.Array(
      Type.Object(
        {
          from: Type.String({ minLength: 1, maxLength: 300 }),
          to: Type.String({ minLength: 1, maxLength: 300, pattern: "^https?://" }),
        },
        { additionalProperties: false },
      ),
      {
        maxItems: 50,
        description: "Beginnings of asset addresses to replace, such as `s3://bucket/` by its https address.",
      },
    ),
  ),
  timeoutMs: Type.Optional(Type.Integer({ minimum: 100, maximum: 600_000, default: 30_000 })),
  attempts: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, default: 4 })),
  concurrency: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 64, default: 8, description: "Requests under way to one host." }),
  ),
  maxSceneBytes: Type.Optional(
    Type.Integer({
      minimum: 1_000_000,
      maximum: 1e12,
      default: 16_000_000_000,
      description: "Most bytes that reading one scene may take.",
    }),
  ),
};

const apiSettings = {
  url: Type.String({
    minLength: 1,
    maxLength: 1000,
    pattern: "^https?://",
    description: "Landing page of the API, such as `https://earth-search.aws.element84.com/v1`.",
  }),
  ...connectionSettings,
  method: Type.Optional(
    Type.Union([Type.Literal("auto"), Type.Literal("POST"), Type.Literal("GET")], { default: "auto" }),
  ),
  sort: Type.Optional(
    Type.Union([Type.Literal("auto"), Type.Literal("server"), Type.Literal("slices")], {
      default: "auto",
      description:
        "`server` asks the API for the newest first, `slices` asks for periods of time from the newest on and sorts them; `auto` does what the API says it can.",
    }),
  ),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
  maxPages: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, default: 50, description: "Most pages that one search reads." }),
  ),
};

const Dataset = Type.Object(
  {
    provider: Type.String({ minLength: 1, maxLength: 50 }),
    dataset: Type.String({ minLength: 1, maxLength: 100 }),
    ...datasetSettings,
  },
  { additionalProperties: false },
);

/** Settings of one STAC API and the datasets that it serves. */
export const StacSourceConfig = Type.Object(
  {
    kind: Type.Literal("stac"),
    ...apiSettings,
    datasets: Type.Array(Dataset, { minItems: 1, maxItems: 100 }),
  },
  { additionalProperties: false, description: "A STAC API 1.0 with its datasets." },
);
export type StacSourceConfig = Static<typeof StacSourceConfig>;
export type StacDatasetConfig = Static<typeof Dataset>;
export type StacCredentialConfig = Static<typeof Credential>;

/** Settings that bind one dataset to a STAC API; which dataset is said elsewhere. */
export const StacSettings = Type.Object(
  { ...apiSettings, ...datasetSettings },
  { additionalProperties: false, description: "A STAC API 1.0 and the collections that a dataset is found in." },
);
export type StacSettings = Static<typeof StacSettings>;
