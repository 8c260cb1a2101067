/** The outline of a scene on the map. */
export interface Footprint {
  readonly sceneId: string;
  readonly outline: { readonly type: "MultiPolygon"; readonly coordinates: readonly unknown[] };
}
