import { getIntersection, isEmpty, type Extent } from "ol/extent.js";
import ImageTile from "ol/ImageTile.js";
import TileLayer from "ol/layer/Tile.js";
import type BaseLayer from "ol/layer/Base.js";
import type LayerGroup from "ol/layer/Group.js";
import type OlMap from "ol/Map.js";
import type Tile from "ol/Tile.js";
import TileState from "ol/TileState.js";
import XYZ from "ol/source/XYZ.js";
import { createXYZ } from "ol/tilegrid.js";
import { isReleased, tileAddress, type TileLayerState } from "./tile-layer.ts";

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

/** Keys of shown layers none of whose tiles in the view has a pixel. */
export function emptyLayers(map: OlMap, group: LayerGroup): ReadonlySet<string> {
  const view = map.getView();
  const seen = view.calculateExtent(map.getSize());
  const resolution = view.getResolution() ?? 1;
  const empty = group
    .getLayers()
    .getArray()
    .flatMap((layer) => {
      const key: unknown = layer.get("key");
      const tiles = tilesWithoutPixels.get(layer);
      const source = layer instanceof TileLayer ? layer.getSource() : null;
      if (typeof key !== "string" || tiles === undefined || !(source instanceof XYZ) || !layer.getVisible()) return [];
      const grid = source.getTileGrid();
      const part = getIntersection(seen, layer.getExtent() ?? seen);
      if (grid === null || isEmpty(part)) return [];
      const inView: string[] = [];
      const zoom = grid.getZForResolution(resolution, source.zDirection);
      grid.forEachTileCoord(part, zoom, ([z = 0, x = 0, y = 0]) => {
        if (tiles.isReleased([z, x, y])) inView.push(tileName([z, x, y]));
      });
      return inView.length > 0 && inView.every((name) => tiles.empty.has(name)) ? [key] : [];
    });
  return new Set(empty);
}

interface TilesWithoutPixels {
  readonly empty: ReadonlySet<string>;
  readonly isReleased: (tile: readonly [zoom: number, x: number, y: number]) => boolean;
}

/** The empty tiles of each layer, as long as the layer lives. */
const tilesWithoutPixels = new WeakMap<BaseLayer, TilesWithoutPixels>();
/** Answers that are remembered for a layer. */
const MAX_REMEMBERED = 5_000;

function tileName(coordinate: readonly number[]): string {
  return coordinate.join("/");
}

/** A tile without pixels has no picture, which the library takes for an error. */
function watchTiles(source: XYZ, state: TileLayerState): TilesWithoutPixels {
  const empty = new Set<string>();
  source.on("tileloaderror", ({ tile }) => {
    if (empty.size < MAX_REMEMBERED) empty.add(tileName(tile.getTileCoord()));
  });
  source.on("tileloadend", ({ tile }) => empty.delete(tileName(tile.getTileCoord())));
  return { empty, isReleased: (tile) => isReleased(state.tiles, tile) };
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
      isReleased(state.tiles, [z, x, y]) ? tileAddress(state.url, [z, x, y]) : undefined,
    tileLoadFunction: (tile, src) => {
      const image = tile instanceof ImageTile ? tile.getImage() : null;
      if (!(image instanceof HTMLImageElement)) return;
      if (state.load === undefined) image.src = src;
      else void showLoaded(tile, image, state.load);
    },
  });
  const layer = new TileLayer({ source, extent: extentOf(state.tiles) });
  layer.set("key", state.key);
  tilesWithoutPixels.set(layer, watchTiles(source, state));
  return layer;
}

/** Shows the bytes of a tile; a place without them is an error for the library, as an empty answer is. */
async function showLoaded(
  tile: Tile,
  image: HTMLImageElement,
  load: NonNullable<TileLayerState["load"]>,
): Promise<void> {
  const [z = 0, x = 0, y = 0] = tile.getTileCoord();
  const picture = await load([z, x, y]).catch(() => null);
  if (picture === null) return tile.setState(TileState.ERROR);
  const address = URL.createObjectURL(picture);
  for (const end of ["load", "error"]) image.addEventListener(end, () => URL.revokeObjectURL(address), { once: true });
  image.src = address;
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
