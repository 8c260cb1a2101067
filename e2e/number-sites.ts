import { exampleOf, membersOf, type ExampleOptions, type Schema } from "./example-request.ts";

/** One place of a request where its schema takes a number. */
export interface NumberSite {
  /** JSON Pointer. */
  readonly pointer: string;
  /** Bounds of the number; none where the schema takes any value. */
  readonly schema: Schema;
  /** The smallest full request with this value at the place. */
  request(value: unknown): unknown;
}

type Build = (value: unknown) => unknown;

/** Longitude and latitude. */
const AXES = [
  { minimum: -180, maximum: 180 },
  { minimum: -90, maximum: 90 },
];

/** Rings of at least four positions. */
interface Polygon {
  readonly type: "Polygon";
  readonly coordinates: readonly (readonly (readonly number[])[])[];
}

/**
 * Every place of a request where its schema takes a number, through members, items and branches of unions. Geometries
 * are the polygon: one longitude and one latitude of it are places.
 */
export function numberSites(schema: Schema, options: ExampleOptions, polygon: Polygon): readonly NumberSite[] {
  const sites: NumberSite[] = [];
  collect(schema, "", (value) => value, { options, polygon, sites });
  return sites;
}

interface Walk {
  readonly polygon: Polygon;
  readonly options: ExampleOptions;
  readonly sites: NumberSite[];
}

function collect(schema: Schema, pointer: string, build: Build, walk: Walk): void {
  if ("const" in schema || "enum" in schema) return;
  const types = [schema["type"]].flat();
  const isOpen = Object.keys(schema).every((key) => key === "description" || key === "title");
  if (types.includes("number") || types.includes("integer") || isOpen) {
    walk.sites.push({ pointer, schema, request: build });
  }
  if (isGeometry(schema)) {
    collectPosition(schema, pointer, build, walk);
    return;
  }
  for (const branch of [...schemasOf(schema["anyOf"]), ...schemasOf(schema["oneOf"])]) {
    collect(branch, pointer, build, walk);
  }
  collectMembers(schema, pointer, build, walk);
  collectItems(schema, pointer, build, walk);
}

function collectMembers(schema: Schema, pointer: string, build: Build, walk: Walk): void {
  const record = [schema["additionalProperties"], ...Object.values(recordOf(schema["patternProperties"]))].filter(
    isSchema,
  );
  const members = [...Object.entries(membersOf(schema)), ...record.map((member): [string, Schema] => ["any", member])];
  for (const [name, member] of members) {
    const within: Build = (value) => build({ ...recordOf(exampleOf(schema, walk.options)), [name]: value });
    collect(member, `${pointer}/${name}`, within, walk);
  }
}

function collectItems(schema: Schema, pointer: string, build: Build, walk: Walk): void {
  const prefix = schemasOf(schema["prefixItems"]);
  const items = prefix.length > 0 ? prefix : schemasOf([schema["items"]]);
  for (const [index, item] of items.entries()) {
    const within: Build = (value) => {
      const list = exampleOf(schema, walk.options);
      return build(Array.isArray(list) ? list.with(index, value) : [value]);
    };
    collect(item, `${pointer}/${index}`, within, walk);
  }
}

/** Of the second vertex: the first one is also the last, which closes the ring. */
function collectPosition(schema: Schema, pointer: string, build: Build, { options, polygon, sites }: Walk): void {
  const isFeature = !takesType(schema, "Polygon");
  for (const [axis, bounds] of AXES.entries()) {
    const place = `${isFeature ? "/geometry" : ""}/coordinates/0/1/${axis}`;
    sites.push({
      pointer: pointer + place,
      schema: bounds,
      request(value) {
        const geometry = withCoordinate(polygon, axis, value);
        return build(isFeature ? { ...recordOf(exampleOf(schema, options)), geometry } : geometry);
      },
    });
  }
}

function withCoordinate({ type, coordinates }: Polygon, axis: number, value: unknown): object {
  const [[first, second = [], ...others] = []] = coordinates;
  return { type, coordinates: [[first, second.map((old, i) => (i === axis ? value : old)), ...others]] };
}

function isGeometry(schema: Schema): boolean {
  return takesType(schema, "Polygon") || takesType(schema, "Feature");
}

/** Whether the schema takes GeoJSON of that type. */
function takesType(schema: Schema, name: string): boolean {
  const type = recordOf(recordOf(schema["properties"])["type"]);
  return [type["enum"], type["const"]].flat().includes(name);
}

function schemasOf(value: unknown): Schema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

function recordOf(value: unknown): Schema {
  return isSchema(value) ? value : {};
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
