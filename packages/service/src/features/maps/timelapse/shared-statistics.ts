import type { BandStatistics, StoredRaster } from "@swath/kernel/scenes/stored-raster";

const FIGURES = ["validPixels", "min", "max", "mean", "std", "p005", "p05", "p50", "p95", "p995"] as const;

/**
 * Rasters with the same statistics for bands of the same place, so that pictures of all have the same stretch: the
 * median of each figure, which a single cloudy scene does not move.
 *
 * @param kindOf rasters of one kind have the same bands in the same units
 */
export function shareStatistics<Item>(
  items: readonly Item[],
  rasterOf: (item: Item) => StoredRaster,
  kindOf: (item: Item) => string,
): ReadonlyMap<Item, StoredRaster> {
  const shared = new Map<Item, StoredRaster>();
  for (const alike of Map.groupBy(items, (item) => `${kindOf(item)} ${rasterOf(item).bands.length}`).values()) {
    const first = rasterOf(alike[0]!);
    const statistics = first.bands.map((_, band) =>
      medians(alike.map((item) => rasterOf(item).bands[band]!.statistics)),
    );
    for (const item of alike) {
      const raster = rasterOf(item);
      const bands = raster.bands.map((band, at) => ({ ...band, statistics: statistics[at]! }));
      shared.set(item, { ...raster, bands });
    }
  }
  return shared;
}

function medians(all: readonly BandStatistics[]): BandStatistics {
  const figures = FIGURES.map((name) => {
    const sorted = all.map((one) => one[name]).toSorted((a, b) => a - b);
    return [name, sorted[(sorted.length - 1) >> 1]!] as const;
  });
  return Object.fromEntries(figures) as unknown as BandStatistics;
}
