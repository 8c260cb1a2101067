import type VectorSource from "ol/source/Vector.js";
import { featureOf } from "./feature-of.ts";
import type { Footprint } from "./footprint.ts";

/** The outline that a feature was read from. */
const OUTLINE = "outline";

/** Leaves these footprints in a source: those that it has stay as they are, so that a filter reads no outline again. */
export function showOnly(source: VectorSource, footprints: readonly Footprint[]): void {
  const wanted = new Map(footprints.map(({ outline, sceneId }) => [sceneId, outline]));
  source.removeFeatures(
    source.getFeatures().filter((feature) => wanted.get(String(feature.getId())) !== feature.get(OUTLINE)),
  );
  const missing = footprints.filter(({ sceneId }) => source.getFeatureById(sceneId) === null);
  source.addFeatures(
    missing.map(({ outline, sceneId }) => {
      const feature = featureOf(outline);
      feature.setId(sceneId);
      feature.set(OUTLINE, outline);
      return feature;
    }),
  );
}
