import { Type, type Static } from "typebox";
import { ItemFilesSettings } from "./registered/item-hosts.ts";

const MAX_ALIASES = 20;
const Alias = Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9_./-]{0,63}$" });

/** The store or a kind of source that needs no settings. */
const SourceName = Type.String({ minLength: 1, maxLength: 64 });
/** The name, or a kind of source with the settings that its factory checks. */
const NamedSource = Type.Union([
  SourceName,
  Type.Object({
    kind: SourceName,
    /** Name of an entry of `stac` whose settings these complete. */
    catalogue: Type.Optional(Type.String()),
  }),
]);
export type NamedSource = Static<typeof NamedSource>;

/** A kind of adapter without settings, or with the settings that its factory checks. */
const NamedTasking = Type.Union([
  SourceName,
  Type.Object({
    kind: SourceName,
    /** Name of an entry of `stapi` whose settings these complete. */
    api: Type.Optional(Type.String()),
  }),
]);
export type NamedTasking = Static<typeof NamedTasking>;

const Text = Type.String({ minLength: 1, maxLength: 200, pattern: "\\S" });

/** Members that describe a dataset; a built-in dataset has none of them in the file. */
const datasetDescription = {
  name: Type.Optional(Text),
  type: Type.Optional(Type.Enum(["optical", "sar-grd", "sar-slc", "probabilities", "environmental"])),
  resolutionM: Type.Optional(
    Type.Array(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 }), { minItems: 2, maxItems: 2 }),
  ),
  resolutionClass: Type.Optional(Type.Enum(["high", "medium-high", "low"])),
  analysisResolutionM: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 })),
  attribution: Type.Optional(Text),
  externalProvider: Type.Optional(Text),
  changeGroup: Type.Optional(Alias),
  visualizationBands: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { minItems: 3, maxItems: 3 }),
  ),
  canBeIngested: Type.Optional(Type.Boolean()),
  clip: Type.Optional(Type.Enum(["required", "disallowed"])),
  thumbnail: Type.Optional(Type.Boolean()),
  exportable: Type.Optional(Type.Boolean()),
};

/** The names of the members that describe a dataset. */
export const DESCRIPTION_MEMBERS: readonly string[] = Object.keys(datasetDescription);

/** The sensors that take orders for a dataset. */
const SensorSettings = Type.Object(
  {
    mode: Type.Optional(Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$" })),
    preallocationAreaKm2: Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 }),
    swathKm: Type.Number({ exclusiveMinimum: 0, maximum: 3_000 }),
    maxOffNadirDeg: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 60 })),
    minSunElevationDeg: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
    incidenceDeg: Type.Optional(Type.Array(Type.Number({ minimum: 0, maximum: 80 }), { minItems: 2, maxItems: 2 })),
    lookSides: Type.Optional(Type.Array(Type.Enum(["left", "right"]), { minItems: 1, maxItems: 2, uniqueItems: true })),
    dwellSeconds: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 120 })),
    setupGapSeconds: Type.Optional(Type.Number({ minimum: 1, maximum: 3_600 })),
    latencyHours: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 240 })),
    satellites: Type.Array(
      Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: 64, pattern: "\\S" }),
          catalogueNumber: Type.Integer({ minimum: 1, maximum: 999_999_999 }),
          meanMotionRevPerDay: Type.Optional(Type.Number({ minimum: 11, maximum: 16.5 })),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 500 },
    ),
  },
  { additionalProperties: false },
);
export type SensorSettings = Static<typeof SensorSettings>;

const DatasetSettings = Type.Object(
  {
    ...datasetDescription,
    enabled: Type.Optional(Type.Boolean()),
    aliases: Type.Optional(Type.Array(Alias, { maxItems: MAX_ALIASES, uniqueItems: true })),
    creditsPerKm2: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
    minAreaKm2: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
    source: Type.Optional(NamedSource),
    tasking: Type.Optional(NamedTasking),
    sensors: Type.Optional(SensorSettings),
  },
  { additionalProperties: false },
);

const ProviderSettings = Type.Object(
  {
    /** Of a provider that is not built in. */
    name: Type.Optional(Text),
    enabled: Type.Optional(Type.Boolean()),
    aliases: Type.Optional(Type.Array(Alias, { maxItems: MAX_ALIASES, uniqueItems: true })),
    source: Type.Optional(SourceName),
    datasets: Type.Optional(Type.Record(Type.String(), DatasetSettings)),
  },
  { additionalProperties: false },
);

/** The configuration file of providers, datasets and sources. See docs/catalog.md. */
export const CatalogueDocument = Type.Object(
  {
    defaultSource: Type.Optional(SourceName),
    sourceTimeoutSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 600 })),
    catalogueDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })),
    providers: Type.Optional(Type.Record(Type.String(), ProviderSettings)),
    items: Type.Optional(ItemFilesSettings),
    stac: Type.Optional(Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()))),
    stapi: Type.Optional(Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()))),
  },
  { additionalProperties: false },
);
export type CatalogueDocument = Static<typeof CatalogueDocument>;
export type ProviderSettings = Static<typeof ProviderSettings>;
export type DatasetSettings = Static<typeof DatasetSettings>;
