/** The least cloudy scene, the first of equal ones; null of none. Scenes without clouds, such as radar, count as clear. */
export function clearest<Scene extends { readonly cloudCover?: number }>(scenes: readonly Scene[]): Scene | null {
  let best: Scene | null = null;
  for (const scene of scenes) {
    if (best === null || (scene.cloudCover ?? 0) < (best.cloudCover ?? 0)) best = scene;
  }
  return best;
}
