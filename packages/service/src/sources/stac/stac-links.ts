import { isRecord } from "@swath/raster/scene-metadata/json-reader";
import type { Json } from "./stac-exchange.ts";

/** A link of a STAC document. */
export interface Link {
  readonly rel: string;
  readonly href: string;
  /** Upper case; null when not stated. */
  readonly method: string | null;
  readonly body: Json | null;
  readonly merge: boolean;
}

/** The first links of a document, 2000 unless another number is given. */
export function linksOf(document: Json, most = 2000): readonly Link[] {
  const links: unknown = document["links"];
  if (!Array.isArray(links)) return [];
  return links.slice(0, most).flatMap((link: unknown): Link[] => {
    if (!isRecord(link) || typeof link["rel"] !== "string" || typeof link["href"] !== "string") return [];
    return [
      {
        rel: link["rel"],
        href: link["href"],
        method: typeof link["method"] === "string" ? link["method"].toUpperCase() : null,
        body: isRecord(link["body"]) ? link["body"] : null,
        merge: link["merge"] === true,
      },
    ];
  });
}
