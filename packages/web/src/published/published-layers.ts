import type { PublishedMap } from "@swath/kernel/publication/publication";
import type { MapEngine } from "../map/engine.ts";
import type { Shape } from "../map/shape.ts";
import type { TileLayerState } from "../map/tile-layer.ts";
import { classColours } from "../objects/class-colour.ts";
import { readObjects } from "../objects/load-objects.ts";
import type { MapObject } from "../objects/map-object.ts";
import { objectsInView } from "../objects/objects-in-view.ts";
import { pictureLayer } from "./picture-layer.ts";

/** Opens each file of the folder once. */
export interface PublishedLayers {
  picture(path: string): Promise<TileLayerState>;
  objects(path: string): Promise<readonly MapObject[]>;
}

export function publishedLayers(): PublishedLayers {
  const pictures = new Map<string, Promise<TileLayerState>>();
  const objects = new Map<string, Promise<readonly MapObject[]>>();
  return {
    picture: (path) => once(pictures, path, pictureLayer),
    objects: (path) => once(objects, path, loadFile),
  };
}

/** A failed file is opened again when it is wanted again. */
async function once<Value>(
  known: Map<string, Promise<Value>>,
  path: string,
  open: (path: string) => Promise<Value>,
): Promise<Value> {
  const opened = known.get(path) ?? open(path);
  known.set(path, opened);
  opened.catch(() => known.delete(path));
  return await opened;
}

async function loadFile(path: string): Promise<readonly MapObject[]> {
  const read = await readObjects(await fetch(path), new AbortController().signal, () => {});
  if (read === null) throw new Error(`${path}: HTTP 404`);
  return read;
}

/** Draws the objects of maps that are in the view. */
export function showObjects(
  engine: MapEngine,
  loaded: ReadonlyMap<PublishedMap, readonly MapObject[]>,
  chosen: MapObject | null,
  onPick: (id: string) => void,
): void {
  const shapes = [...loaded].flatMap(([map, objects]): Shape[] => {
    const colours = classColours(Object.keys(map.colours));
    return objectsInView(objects, engine.box()).drawn.map(({ id, geometry, className }) => {
      const colour = colours.get(className);
      return { id, geometry, look: "object", ...(colour === undefined ? {} : { colour }) };
    });
  });
  engine.showShapes("objects", shapes.length === 0 ? null : { shapes, selected: chosen?.id ?? null, onPick });
}
