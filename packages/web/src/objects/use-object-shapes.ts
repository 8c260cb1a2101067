import { useComputed } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Shape } from "../map/shape.ts";
import { useConsole } from "../use-console.ts";
import type { MapObject } from "./map-object.ts";
import { objectsInView, type ObjectsInView } from "./objects-in-view.ts";

const GROUP = "objects";

export interface ObjectShapes {
  readonly objects: readonly MapObject[];
  readonly colours: ReadonlyMap<string, string>;
  readonly selected: MapObject | null;
  readonly hovered: string | null;
  readonly onSelect: (id: string) => void;
  readonly onHover: (id: string | null) => void;
}

/** Draws the objects of the view, while the screen is open; clicks on the map select them. */
export function useObjectShapes(props: ObjectShapes): ObjectsInView {
  const { objects, colours, selected, hovered, onSelect, onHover } = props;
  const { map, state } = useConsole();
  const view = useComputed(() => state.value.view).value;
  const inView = useMemo(() => objectsInView(objects, map.box()), [objects, view]);
  const shapes = useMemo(() => {
    const { drawn } = inView;
    const all = selected === null || drawn.includes(selected) ? drawn : [...drawn, selected];
    return all.map(({ id, geometry, className }): Shape => {
      const colour = colours.get(className);
      return { id, geometry, look: "object", ...(colour === undefined ? {} : { colour }) };
    });
  }, [inView, colours, selected]);
  useEffect(() => {
    map.showShapes(GROUP, { shapes, hovered, selected: selected?.id ?? null, onPick: onSelect, onHover });
  });
  useEffect(() => () => map.showShapes(GROUP, null), []);
  return inView;
}
