import { Type, type Static } from "typebox";
import { connectionSettings, itemSettings } from "../stac/config.ts";

/** Settings that bind one dataset to a static STAC catalogue. */
export const StaticSettings = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 1000,
      pattern: "^https?://",
      description: "The root, such as `https://data.acme.example/catalog.json`.",
    }),
    ...connectionSettings,
    collections: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        minItems: 1,
        maxItems: 10,
        description: "Identifiers of the collections that are read; all unless given.",
      }),
    ),
    ...itemSettings,
    refreshHours: Type.Optional(
      Type.Number({ minimum: 0.01, maximum: 8760, default: 24, description: "From one crawl to the next." }),
    ),
    maxItems: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 200_000, default: 10_000, description: "Most items of the index." }),
    ),
    maxDepth: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 50, default: 10, description: "Most links from the root to a catalogue." }),
    ),
    maxMegabytes: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100_000, default: 500, description: "Most bytes that one crawl reads." }),
    ),
    maxMinutes: Type.Optional(
      Type.Number({ minimum: 0.01, maximum: 1440, default: 60, description: "Longest time of one crawl." }),
    ),
  },
  { additionalProperties: false, description: "A static STAC catalogue, which is read into an index." },
);
export type StaticSettings = Static<typeof StaticSettings>;

/** Bounds of one crawl. */
export interface CrawlLimits {
  readonly items: number;
  /** Catalogues, collections and items. */
  readonly documents: number;
  readonly depth: number;
  readonly bytes: number;
  readonly ms: number;
}

/** The bounds that settings state, or the usual ones. */
export function crawlLimits(settings: StaticSettings): CrawlLimits {
  const items = settings.maxItems ?? 10_000;
  return {
    items,
    documents: 2 * items + 1000,
    depth: settings.maxDepth ?? 10,
    bytes: (settings.maxMegabytes ?? 500) * 1e6,
    ms: (settings.maxMinutes ?? 60) * 60_000,
  };
}

/** From one crawl to the next. */
export function refreshMs({ refreshHours = 24 }: StaticSettings): number {
  return refreshHours * 3_600_000;
}
