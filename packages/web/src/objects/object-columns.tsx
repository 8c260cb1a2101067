import { formatLatitude, formatLongitude, formatMetres, formatShare, formatSquareMetres } from "../format/numbers.ts";
import type { Column } from "../ui/column.ts";
import type { MapObject } from "./map-object.ts";
import { objectsText } from "./objects-text.ts";

const { columns } = objectsText;

/** Columns of the objects of a map; a measure that none of them has gets none. */
export function objectColumns(
  objects: readonly MapObject[],
  colours: ReadonlyMap<string, string>,
): readonly Column<MapObject>[] {
  const all: readonly (Column<MapObject> | null)[] = [
    {
      name: "class",
      title: columns.class,
      weight: 1.5,
      cell: ({ className }) => (
        <span class="class-name">
          <svg viewBox="0 0 10 10" aria-hidden="true">
            <rect width="10" height="10" rx="2" fill={colours.get(className) ?? ""} />
          </svg>
          {className === "" ? objectsText.unnamed : className}
        </span>
      ),
      sortKey: ({ className }) => className,
    },
    numberColumn("confidence", columns.confidence, ({ confidence }) => confidence, formatShare),
    numberColumn("area", columns.area, ({ areaM2 }) => areaM2, formatSquareMetres),
    objects.some(({ lengthM }) => lengthM !== null)
      ? numberColumn("length", columns.length, ({ lengthM }) => lengthM, formatMetres)
      : null,
    numberColumn("latitude", columns.latitude, ({ latitude }) => latitude, formatLatitude),
    numberColumn("longitude", columns.longitude, ({ longitude }) => longitude, formatLongitude),
  ];
  return all.filter((column) => column !== null);
}

function numberColumn(
  name: string,
  title: string,
  valueOf: (object: MapObject) => number | null,
  format: (value: number) => string,
): Column<MapObject> {
  return {
    name,
    title,
    isNumber: true,
    cell: (object) => {
      const value = valueOf(object);
      return value === null ? "–" : format(value);
    },
    sortKey: valueOf,
  };
}
