import type { MapTypeDescriptor } from "./map-type.ts";
import type { ModelManifest } from "./models/model-manifest.ts";
import { createMapTypes } from "./registry.ts";

let mapTypes = createMapTypes([]);

/** The map types of the installed models, for the permissions of a release. */
export function addModelMapTypes(manifests: readonly ModelManifest[]): void {
  mapTypes = createMapTypes(manifests);
}

/** The map type of an id as requests write it. */
export function findMapType(id: string): MapTypeDescriptor | undefined {
  return mapTypes.find(id);
}
