import type { StacCatalogue } from "./stac-catalogue.ts";

/** The hosts of the files of items, and how the files are read. */
export type ItemFiles = Pick<StacCatalogue, "client" | "clock" | "headers" | "log" | "name" | "root" | "rules"> &
  Disposable & { readonly config: Pick<StacCatalogue["config"], "maxSceneBytes" | "rewriteHrefs"> };
