import { Type, type Static } from "typebox";

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

const DatasetSettings = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean()),
    aliases: Type.Optional(Type.Array(Alias, { maxItems: MAX_ALIASES, uniqueItems: true })),
    creditsPerKm2: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
    minAreaKm2: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
    source: Type.Optional(NamedSource),
  },
  { additionalProperties: false },
);

const ProviderSettings = Type.Object(
  {
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
    stac: Type.Optional(Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()))),
  },
  { additionalProperties: false },
);
export type CatalogueDocument = Static<typeof CatalogueDocument>;
type ProviderSettings = Static<typeof ProviderSettings>;
export type DatasetSettings = Static<typeof DatasetSettings>;
