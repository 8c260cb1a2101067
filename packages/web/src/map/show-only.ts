import type VectorSource from "ol/source/Vector.js";
import { featureOf } from "./feature-of.ts";
import type { Footprint } from "./footprint.ts";

/** Leaves these footprints in a source: those that it has stay as they are, so that a filter reads no outline again. */
export function showOnly(source: VectorSource, footprints: readonly Footprint[]): void {
  const wanted = new Set(footprints.map(({ sceneId }) => sceneId));
  const gone = source.getFeatures().filter((feature) => !wanted.has(String(feature.getId())));
  source.removeFeatures(gone);
  const missing = footprints.filter(({ sceneId }) => source.getFeatureById(sceneId) === null);
  source.addFeatures(
    missing.map(({ outline, sceneId }) => {
      const feature = featureOf(outline);
      feature.setId(sceneId);
      return feature;
    }),
  );
}
