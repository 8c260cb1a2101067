import type Feature from "ol/Feature.js";
import VectorImageLayer from "ol/layer/VectorImage.js";
import VectorLayer from "ol/layer/Vector.js";
import type OlMap from "ol/Map.js";
import VectorSource from "ol/source/Vector.js";
import { featureOf } from "./feature-of.ts";
import type { Shape, ShapeGroup } from "./shape.ts";
import { createShapeStyles, HOVERED_SHAPE, SELECTED_SHAPE } from "./styles.ts";

/** A pointer this near to a line or a point hits it. */
const REACH_PX = 6;
const Z_INDEX = 105;

interface Drawn {
  readonly layers: readonly [VectorImageLayer, VectorLayer];
  readonly source: VectorSource;
  readonly marks: VectorSource;
  shapes: readonly Shape[];
  onPick: ShapeGroup["onPick"];
  onHover: ShapeGroup["onHover"];
  hovered: string | null;
}

export interface Shapes {
  /** Replaces the shapes of a group; null removes the group. */
  show(name: string, group: ShapeGroup | null): void;
  /** Picks the shape at a coordinate of the map; false where there is none to pick. */
  pick(coordinate: readonly number[]): boolean;
  /** Tells each group which of its shapes is below the pointer. */
  hover(coordinate: readonly number[]): void;
}

/** Shapes of screens, above the tiles. A separate layer draws hovered and selected ones, so that a hover redraws one shape. */
export function createShapes(map: OlMap): Shapes {
  const groups = new Map<string, Drawn>();
  const styleOf = createShapeStyles();
  const remove = (name: string): void => {
    for (const layer of groups.get(name)?.layers ?? []) {
      map.removeLayer(layer);
      layer.dispose();
    }
    groups.delete(name);
  };
  return {
    show(name, group) {
      if (group === null) return remove(name);
      const drawn = groups.get(name) ?? added(map);
      groups.set(name, drawn);
      if (drawn.shapes !== group.shapes) replace(drawn, group.shapes, styleOf);
      drawn.onPick = group.onPick;
      drawn.onHover = group.onHover;
      mark(drawn, group);
    },
    pick(coordinate) {
      for (const { source, onPick } of groups.values()) {
        if (onPick === undefined) continue;
        const id = nearest(source, coordinate, reachOf(map));
        if (id === null) continue;
        onPick(id);
        return true;
      }
      return false;
    },
    hover(coordinate) {
      for (const drawn of groups.values()) {
        if (drawn.onHover === undefined) continue;
        const id = nearest(drawn.source, coordinate, reachOf(map));
        if (id === drawn.hovered) continue;
        drawn.hovered = id;
        drawn.onHover(id);
      }
    },
  };
}

/** Metres of EPSG:3857. */
function reachOf(map: OlMap): number {
  return REACH_PX * (map.getView().getResolution() ?? 1);
}

function added(map: OlMap): Drawn {
  const source = new VectorSource();
  const marks = new VectorSource();
  const layers = [
    new VectorImageLayer({ source, style: (feature) => feature.get("look"), imageRatio: 2, zIndex: Z_INDEX }),
    new VectorLayer({ source: marks, style: (feature) => feature.get("look"), zIndex: Z_INDEX + 1 }),
  ] as const;
  for (const layer of layers) map.addLayer(layer);
  return { layers, source, marks, shapes: [], onPick: undefined, onHover: undefined, hovered: null };
}

function replace(drawn: Drawn, shapes: readonly Shape[], styleOf: ReturnType<typeof createShapeStyles>): void {
  drawn.shapes = shapes;
  drawn.source.clear(true);
  drawn.source.addFeatures(
    shapes.map((shape) => {
      const feature = featureOf(shape.geometry);
      feature.setId(shape.id);
      feature.set("look", styleOf(shape), true);
      return feature;
    }),
  );
}

function mark({ source, marks }: Drawn, { hovered = null, selected = null }: ShapeGroup): void {
  marks.clear(true);
  for (const [id, style] of [
    [hovered === selected ? null : hovered, HOVERED_SHAPE],
    [selected, SELECTED_SHAPE],
  ] as const) {
    const feature = id === null ? null : source.getFeatureById(id);
    if (feature === null) continue;
    const copy = feature.clone();
    copy.set("look", style, true);
    marks.addFeature(copy);
  }
}

/** The smallest of the shapes within reach: a ship is picked, not the area around it. */
function nearest(source: VectorSource, coordinate: readonly number[], reach: number): string | null {
  const [x = 0, y = 0] = coordinate;
  const near = source.getFeaturesInExtent([x - reach, y - reach, x + reach, y + reach]).filter((feature) => {
    if (feature.getGeometry()?.intersectsCoordinate([x, y]) === true) return true;
    const [nearX = Infinity, nearY = Infinity] = feature.getGeometry()?.getClosestPoint([x, y]) ?? [];
    return Math.hypot(nearX - x, nearY - y) <= reach;
  });
  const [found] = near.toSorted((a, b) => extentSize(a) - extentSize(b));
  return found === undefined ? null : String(found.getId());
}

function extentSize(feature: Feature): number {
  const [west = 0, south = 0, east = 0, north = 0] = feature.getGeometry()?.getExtent() ?? [];
  return (east - west) * (north - south);
}
