/** The map type of an analysis that is spawned from a scene, named by the specification. */
export const SPAWNED_MAP_TYPE = "imagery";
