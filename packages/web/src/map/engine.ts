import VectorLayer from "ol/layer/Vector.js";
import LayerGroup from "ol/layer/Group.js";
import { defaults as defaultInteractions } from "ol/interaction/defaults.js";
import VectorImageLayer from "ol/layer/VectorImage.js";
import OlMap from "ol/Map.js";
import { fromLonLat, toLonLat, transformExtent } from "ol/proj.js";
import VectorSource from "ol/source/Vector.js";
import View from "ol/View.js";
import type { Box, MapView } from "../console-state.ts";
import { createBasemap, type Basemap } from "./basemap.ts";
import type { ComparedMaps } from "./compared-maps.ts";
import { freePadding } from "./free-padding.ts";
import { startDrawing, type DrawKind } from "./drawing.ts";
import { featureOf } from "./feature-of.ts";
import type { Footprint } from "./footprint.ts";
import { showOnly } from "./show-only.ts";
import type { ShapeGroup } from "./shape.ts";
import { createShapes, type Shapes } from "./shapes.ts";
import { createSwipe } from "./swipe.ts";
import { AREA, FOOTPRINT, HOVERED, SELECTED } from "./styles.ts";
import type { TileLayerState } from "./tile-layer.ts";
import { createTileLayers, emptyLayers, extentOf } from "./tiles.ts";

type Ring = readonly (readonly [longitude: number, latitude: number])[];

/** The map on the page. Positions are degrees; nothing of the library leaves this folder. */
export interface MapEngine {
  mount(target: HTMLElement): void;
  setTheme(theme: "dark" | "light"): void;
  setView(view: MapView): void;
  /** Moves and zooms so that the box fills the map, at most to a zoom; 16 without one. */
  fit(box: Box, maxZoom?: number): void;
  fitTiles(tiles: TileLayerState["tiles"]): void;
  zoomBy(levels: number): void;
  /** The part of the world that is seen. */
  box(): Box;
  showArea(rings: readonly Ring[]): void;
  showFootprints(footprints: readonly Footprint[]): void;
  highlight(marked: { readonly hovered: string | null; readonly selected: string | null }): void;
  showTiles(layers: readonly TileLayerState[]): void;
  /** Shows two maps in the place of all tiles; null ends the comparison. */
  compare(compared: ComparedMaps | null): void;
  /** Replaces the shapes of a group that a screen shows; null removes the group. */
  showShapes(name: string, group: ShapeGroup | null): void;
  /** Returns how to stop. */
  draw(kind: DrawKind, done: (ring: Ring) => void): () => void;
  /** Identifiers of the scenes at a position, the smallest first. */
  scenesAt(longitude: number, latitude: number): readonly string[];
}

export interface MapEvents {
  readonly onView: (view: MapView) => void;
  /** Keys of shown layers without a pixel in the view, after each rendering. */
  readonly onEmptyLayers: (keys: ReadonlySet<string>) => void;
  readonly onHover: (longitude: number, latitude: number) => void;
  readonly onClick: (longitude: number, latitude: number) => void;
}

/** A result set is drawn as one image: 2,000 footprints pan at 43 frames a second without a GPU, as vectors at 18. */
const FOOTPRINT_IMAGE_RATIO = 2;

/** The tiles of the first view come first: the finest outlines hold the page for 0.4 s. */
const LAND_AFTER_MS = 1_000;

/** Outlines of land that the service serves. */
const SERVED_LAND = "/console/basemap";

/** @param landFolder folder with the outlines of land */
export function createEngine(events: MapEvents, landFolder: string = SERVED_LAND): MapEngine {
  const basemap = createBasemap(landFolder);
  const footprints = new VectorSource();
  const marks = new VectorSource();
  const area = new VectorSource();
  const view = new View({ center: [0, 0], zoom: 2, minZoom: 1, maxZoom: 22 });
  const map = new OlMap({
    view,
    controls: [],
    // The library would ask for the focus first: a first drag and the wheel would move nothing.
    interactions: defaultInteractions({ onFocusOnly: false }),
    layers: [
      basemap.layer,
      new VectorImageLayer({ source: footprints, style: FOOTPRINT, imageRatio: FOOTPRINT_IMAGE_RATIO, zIndex: 100 }),
      new VectorLayer({
        source: marks,
        style: (feature) => (feature.get("mark") === "selected" ? SELECTED : HOVERED),
        zIndex: 110,
      }),
      new VectorLayer({ source: area, style: AREA, zIndex: 120 }),
    ],
  });
  const shapes = createShapes(map);
  const listenTo = (one: OlMap): void => {
    listen(one, events, { onZoom: (zoom) => basemap.setZoom(zoom), shapes });
  };
  listenTo(map);
  map.once("rendercomplete", () => basemap.start());
  setTimeout(() => basemap.start(), LAND_AFTER_MS);
  const layers = addTiles(map, { basemap, area, listen: listenTo, onEmptyLayers: events.onEmptyLayers });
  return {
    mount: (target) => map.setTarget(target),
    setTheme: (theme) => basemap.setTheme(theme),
    setView({ longitude, latitude, zoom }) {
      view.setCenter(fromLonLat([longitude, latitude]));
      view.setZoom(zoom);
    },
    fit: (box, maxZoom = 16) => view.fit(extentOfBox(box), { padding: freePadding(map, 60), maxZoom }),
    fitTiles: (tiles) => view.fit(extentOf(tiles), { padding: freePadding(map, 40) }),
    zoomBy: (levels) => view.setZoom((view.getZoom() ?? 2) + levels),
    box: () => boxOf(view.calculateExtent(map.getSize())),
    showArea(rings) {
      area.clear(true);
      area.addFeatures(rings.map((ring) => featureOf({ type: "Polygon", coordinates: [ring] })));
    },
    showFootprints: (scenes) => showOnly(footprints, scenes),
    highlight({ hovered, selected }) {
      marks.clear(true);
      for (const [sceneId, mark] of [
        [hovered, "hovered"],
        [selected, "selected"],
      ] as const) {
        const feature = sceneId === null ? null : footprints.getFeatureById(sceneId);
        if (feature === null || (mark === "hovered" && hovered === selected)) continue;
        const copy = feature.clone();
        copy.set("mark", mark);
        marks.addFeature(copy);
      }
    },
    ...layers,
    showShapes: (name, group) => shapes.show(name, group),
    draw: (kind, done) => startDrawing(map, kind, done),
    scenesAt(longitude, latitude) {
      const found = footprints.getFeaturesAtCoordinate(fromLonLat([longitude, latitude]));
      const size = (one: (typeof found)[number]): number => {
        const [west = 0, south = 0, east = 0, north = 0] = one.getGeometry()?.getExtent() ?? [];
        return (east - west) * (north - south);
      };
      return found.toSorted((a, b) => size(a) - size(b)).map((feature) => String(feature.getId()));
    },
  };
}

/** The maps of the page, and the two compared ones in their place. */
function addTiles(
  map: OlMap,
  parts: { readonly basemap: Basemap; readonly area: VectorSource; readonly listen: (map: OlMap) => void } & Pick<
    MapEvents,
    "onEmptyLayers"
  >,
): Pick<MapEngine, "compare" | "showTiles"> {
  const { basemap, area, listen: listenTo } = parts;
  const tiles = new LayerGroup();
  map.addLayer(tiles);
  map.on("rendercomplete", () => parts.onEmptyLayers(emptyLayers(map, tiles)));
  const swipe = createSwipe(map, {
    under: () => [
      new VectorImageLayer({ source: basemap.layer.getSource() ?? undefined, style: basemap.layer.getStyle() }),
      new VectorLayer({ source: area, style: AREA, zIndex: 120 }),
    ],
    listen: listenTo,
  });
  return {
    showTiles: createTileLayers(tiles),
    compare(compared) {
      tiles.setVisible(compared === null);
      swipe(compared);
    },
  };
}

interface Parts {
  readonly onZoom: (zoom: number) => void;
  readonly shapes: Shapes;
}

function listen(map: OlMap, { onView, onHover, onClick }: MapEvents, { onZoom, shapes }: Parts): void {
  const view = map.getView();
  const report = (): void => {
    const [longitude = 0, latitude = 0] = toLonLat(view.getCenter() ?? [0, 0]);
    const zoom = view.getZoom() ?? 2;
    onZoom(zoom);
    onView({ longitude, latitude, zoom });
  };
  map.on("moveend", report);
  // A map that is wider than the world begins without a move: the library fits it before its first frame.
  map.once("rendercomplete", report);
  map.on("pointermove", ({ coordinate, dragging }) => {
    if (dragging) return;
    shapes.hover(coordinate);
    const [longitude = 0, latitude = 0] = toLonLat(coordinate);
    onHover(longitude, latitude);
  });
  map.on("click", ({ coordinate }) => {
    if (shapes.pick(coordinate)) return;
    const [longitude = 0, latitude = 0] = toLonLat(coordinate);
    onClick(longitude, latitude);
  });
  const tell = (isRendered: boolean): void => {
    const target = map.getTargetElement();
    if (target) target.dataset["rendered"] = String(isRendered);
  };
  map.on("loadstart", () => tell(false));
  map.on("rendercomplete", () => tell(true));
}

/** East of a box that crosses the antimeridian exceeds 180. */
function extentOfBox({ west, south, east, north }: Box) {
  return transformExtent([west, south, east < west ? east + 360 : east, north], "EPSG:4326", "EPSG:3857");
}

function boxOf(extent: number[]): Box {
  const [west = -180, south = -85, east = 180, north = 85] = transformExtent(extent, "EPSG:3857", "EPSG:4326");
  if (east - west >= 360) return { west: -180, south: Math.max(-85, south), east: 180, north: Math.min(85, north) };
  return {
    west: wrappedLongitude(west),
    south: Math.max(-85, south),
    east: wrappedLongitude(east),
    north: Math.min(85, north),
  };
}

function wrappedLongitude(longitude: number): number {
  return ((((longitude + 180) % 360) + 360) % 360) - 180;
}
