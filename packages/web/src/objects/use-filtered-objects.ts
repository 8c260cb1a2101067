import type { ObjectFilter } from "@swath/kernel/query/object-filter";
import { useMemo, useRef } from "preact/hooks";
import { classColours } from "./class-colour.ts";
import type { MapObject } from "./map-object.ts";
import {
  countClasses,
  filterObjects,
  parseFilterText,
  type ClassCount,
  type ParsedFilter,
} from "./object-filter-text.ts";

export interface FilteredObjects {
  readonly parsed: ParsedFilter;
  readonly shown: readonly MapObject[];
  readonly classes: readonly ClassCount[];
  readonly colours: ReadonlyMap<string, string>;
  readonly byId: ReadonlyMap<string, MapObject>;
}

/** The objects that meet a filter. While a line of it is being written the last readable filter holds. */
export function useFilteredObjects(objects: readonly MapObject[], text: string): FilteredObjects {
  const parsed = useMemo(() => parseFilterText(text), [text]);
  const last = useRef<readonly ObjectFilter[]>([]);
  if (parsed.kind === "filters") last.current = parsed.filters;
  const { current: filters } = last;
  return {
    parsed,
    shown: useMemo(() => filterObjects(objects, filters), [objects, filters]),
    classes: useMemo(() => countClasses(objects, filters), [objects, filters]),
    colours: useMemo(() => classColours(countClasses(objects, []).map(({ className }) => className)), [objects]),
    byId: useMemo(() => new Map(objects.map((one) => [one.id, one])), [objects]),
  };
}
