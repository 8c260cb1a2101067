/*
 * The smallest request that fits a JSON Schema, for suites that must call operations they have never heard of.
 * Good enough for the schemas of this service; where it is not, the caller finds out by checking the result.
 */

const POLYGON = {
  type: "Polygon",
  coordinates: [
    [
      [14.4, 50.1],
      [14.41, 50.1],
      [14.41, 50.106],
      [14.4, 50.106],
      [14.4, 50.1],
    ],
  ],
} as const;

/** Texts of common forms, tried in turn where a text has a pattern. */
const TEXTS = [
  "abc",
  "2024-06-01T00:00:00Z",
  "2024-06-01 00:00:00",
  "2024-06-01",
  "somebody@example.org",
  "0123456789abcdefghij",
  "0123456789abcdefghijkl",
  "0123456789ab",
  "a".repeat(64),
  "https://example.org/",
  "0",
] as const;

export interface ExampleOptions {
  /** Where any text will do. */
  readonly text: string;
  /** Whether optional members are given. */
  readonly full: boolean;
  /** Values for members by name, optional ones too; undefined: no opinion. */
  readonly member: (name: string, schema: Schema) => unknown;
}

export type Schema = Readonly<Record<string, unknown>>;

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function schemas(value: unknown): Schema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

function numberOf(schema: Schema, ...names: string[]): number | null {
  for (const name of names) {
    const value = schema[name];
    if (typeof value === "number") return value;
  }
  return null;
}

/** Members of an object schema and of what it is composed of. */
export function membersOf(schema: Schema): Readonly<Record<string, Schema>> {
  const own = isSchema(schema["properties"]) ? schema["properties"] : {};
  const composed = [...schemas(schema["allOf"]), ...schemas(schema["anyOf"]).slice(0, 1)].map(membersOf);
  const named = Object.entries(own).filter((entry): entry is [string, Schema] => isSchema(entry[1]));
  return Object.assign({}, ...composed, Object.fromEntries(named));
}

export function exampleOf(schema: Schema, options: ExampleOptions): unknown {
  if ("const" in schema) return schema["const"];
  if (Array.isArray(schema["examples"]) && schema["examples"].length > 0) return schema["examples"][0];
  const geometry = geometryOf(schema, options);
  if (geometry !== undefined) return geometry;
  if (Array.isArray(schema["enum"])) return schema["enum"][0];
  const [variant] = [...schemas(schema["anyOf"]), ...schemas(schema["oneOf"])];
  if (variant !== undefined && schema["properties"] === undefined) return exampleOf(variant, options);
  const [all] = schemas(schema["allOf"]);
  if (
    all !== undefined &&
    schema["type"] === undefined &&
    schema["properties"] === undefined &&
    !("properties" in all)
  ) {
    return exampleOf(all, options);
  }
  const type = Array.isArray(schema["type"]) ? schema["type"][0] : schema["type"];
  switch (type) {
    case "object":
      return objectOf(schema, options);
    case "array":
      return arrayOf(schema, options);
    case "integer":
    case "number":
      return numberExample(schema);
    case "boolean":
      return false;
    case "null":
      return null;
    case "string":
      return textOf(schema, options.text);
    default:
      return schema["properties"] === undefined && schema["allOf"] === undefined ? {} : objectOf(schema, options);
  }
}

/** A geometry or feature where the schema names GeoJSON types. */
function geometryOf(schema: Schema, options: ExampleOptions): unknown {
  const type = isSchema(schema["properties"]) ? schema["properties"]["type"] : undefined;
  const names = isSchema(type) ? (Array.isArray(type["enum"]) ? type["enum"] : [type["const"]]) : [];
  if (names.includes("Polygon")) return POLYGON;
  if (!names.includes("Feature")) return undefined;
  const { geometry: _geometry, ...others } = membersOf(schema);
  return { ...objectOf({ ...schema, allOf: [], properties: others }, options), type: "Feature", geometry: POLYGON };
}

function objectOf(schema: Schema, options: ExampleOptions): Record<string, unknown> {
  const required = new Set(
    [schema, ...schemas(schema["allOf"]), ...schemas(schema["anyOf"]).slice(0, 1)].flatMap((part) =>
      Array.isArray(part["required"]) ? part["required"] : [],
    ),
  );
  const result: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(membersOf(schema))) {
    const given = options.member(name, member);
    if (given !== undefined) result[name] = given;
    else if (options.full || required.has(name)) result[name] = exampleOf(member, options);
  }
  return result;
}

function arrayOf(schema: Schema, options: ExampleOptions): unknown[] {
  const prefix = schemas(schema["prefixItems"]);
  if (prefix.length > 0) return prefix.map((item) => exampleOf(item, options));
  const items = isSchema(schema["items"]) ? schema["items"] : {};
  // One item even where none will do: what a request asks for often follows from its items.
  const item = exampleOf(items, options);
  const length = Math.max(1, numberOf(schema, "minItems") ?? 0);
  // Only texts are asked to differ.
  const vary = schema["uniqueItems"] === true && typeof item === "string";
  return Array.from({ length }, (_, index) => (vary && index > 0 ? `${item.slice(0, -1)}${index}` : item));
}

function numberExample(schema: Schema): number {
  const least = numberOf(schema, "minimum");
  const above = numberOf(schema, "exclusiveMinimum");
  const most = numberOf(schema, "maximum", "exclusiveMaximum");
  const value = least ?? (above === null ? 1 : above + 1);
  return most !== null && value > most ? most : value;
}

function textOf(schema: Schema, text: string): string {
  const least = numberOf(schema, "minLength") ?? 0;
  const most = numberOf(schema, "maxLength") ?? Number.POSITIVE_INFINITY;
  const sized = text.padEnd(least, "x").slice(0, most);
  const { pattern, format } = schema;
  if (format === "date-time") return TEXTS[1];
  if (format === "email") return TEXTS[4];
  if (typeof pattern !== "string") return sized;
  const form = new RegExp(pattern, "u");
  return [sized, ...TEXTS].find((one) => form.test(one) && one.length >= least && one.length <= most) ?? sized;
}
