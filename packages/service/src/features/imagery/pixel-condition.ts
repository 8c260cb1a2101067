import { sql, type RawBuilder } from "kysely";

/**
 * Scenes by their pixels: all scenes, those with pixels in the store, or those whose pixels are there or are read from
 * the files of a registered item.
 */
export type PixelCondition = "any" | "stored" | "available";

/** A further test of the row `s`. */
export function pixelsSql(pixels: PixelCondition): RawBuilder<unknown> {
  if (pixels === "any") return sql``;
  return pixels === "stored" ? sql`and s.ingested` : sql`and (s.ingested or s.registered)`;
}
