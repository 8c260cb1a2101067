import type { Extent } from "ol/extent.js";
import ImageTile from "ol/ImageTile.js";
import TileLayer from "ol/layer/Tile.js";
import type LayerGroup from "ol/layer/Group.js";
import XYZ from "ol/source/XYZ.js";
import { createXYZ } from "ol/tilegrid.js";
import { isReleased, type TileLayerState } from "./tile-layer.ts";

const TILE_PX = 512;
/** Between the basemap and the outlines. */
const FIRST_Z_INDEX = 10;

/** Shows the layers, the first one on top; layers that stay keep their tiles. */
export function createTileLayers(group: LayerGroup): (states: readonly TileLayerState[]) => void {
  const shown = new Map<string, TileLayer<XYZ>>();
  return (states) => {
    const keys = new Set(states.map(({ key }) => key));
    for (const [key, layer] of shown) {
      if (keys.has(key)) continue;
      group.getLayers().remove(layer);
      layer.getSource()?.clear();
      layer.dispose();
      shown.delete(key);
    }
    for (const [position, state] of states.entries()) {
      const layer = shown.get(state.key) ?? added(group, state);
      shown.set(state.key, layer);
      layer.setOpacity(state.opacity);
      layer.setVisible(state.isShown);
      layer.setZIndex(FIRST_Z_INDEX + states.length - position);
    }
  };
}

function added(group: LayerGroup, state: TileLayerState): TileLayer<XYZ> {
  const layer = createTileLayer(state);
  group.getLayers().push(layer);
  return layer;
}

/** A layer of the released tiles of one map. */
export function createTileLayer(state: TileLayerState): TileLayer<XYZ> {
  const [baseZoom] = state.tiles[0] ?? [0];
  // From farther away the released tiles themselves are shown, smaller.
  const tileGrid = createXYZ({ tileSize: TILE_PX, minZoom: baseZoom, maxZoom: Math.max(baseZoom, state.maxZoom) });
  const source = new XYZ({
    tileGrid,
    crossOrigin: "anonymous",
    tileUrlFunction: ([z = 0, x = 0, y = 0]) =>
      isReleased(state.tiles, [z, x, y])
        ? state.url.replace("{z}", String(z)).replace("{x}", String(x)).replace("{y}", String(y))
        : undefined,
    tileLoadFunction: (tile, src) => {
      const image = tile instanceof ImageTile ? tile.getImage() : null;
      if (image instanceof HTMLImageElement) image.src = src;
    },
  });
  return new TileLayer({ source, extent: extentOf(state.tiles) });
}

/** Of the released tiles, metres of EPSG:3857. */
export function extentOf(tiles: TileLayerState["tiles"]): Extent {
  const grid = createXYZ({ tileSize: TILE_PX });
  const extents = tiles.map((tile) => grid.getTileCoordExtent([...tile]));
  return [0, 1, 2, 3].map((side) => {
    const values = extents.map((extent) => extent[side] ?? 0);
    return side < 2 ? Math.min(...values) : Math.max(...values);
  });
}
