import { GEOJSON_COMPONENTS } from "@swath/contract/kit/schemas/geojson-components";

type Json = Readonly<Record<string, unknown>>;

/** Collects schemas that have a name, so that the document holds each of them once. */
export interface SchemaBook {
  /** The schema as the document writes it: named parts become references. */
  write(schema: unknown): unknown;
  /** Named schemas by name, sorted. */
  components(): Record<string, unknown>;
}

interface NamedSchema {
  /** The schema without its description, for comparison. */
  readonly text: string;
  readonly description: unknown;
  readonly body: unknown;
}

const NAME = /^[A-Z][A-Za-z0-9]*$/;
const REFERENCE = "#/components/schemas/";

/**
 * A name is the schema's `$id` or `title` in PascalCase. GeoJSON is written as `GEOJSON_COMPONENTS` has it. A
 * description that differs from the one of the named schema stands beside the reference.
 *
 * @param described schemas whose descriptions their components keep, whichever use is written first
 * @throws {Error} when two different schemas claim one name
 */
export function createSchemaBook(described: readonly Json[] = []): SchemaBook {
  const named = new Map<string, NamedSchema>();
  const descriptions = new Map(described.map((schema) => [nameOf(schema), schema["description"]]));

  function writeMembers(schema: Json): Json {
    const { $id: _id, $schema: _schema, items, additionalItems, ...rest } = withEnumOf(schema);
    const written: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(rest)) {
      // These hold data, not schemas.
      const isData = key === "const" || key === "enum" || key === "default" || key === "examples";
      written[key] = isData ? value : write(value);
    }
    // Tuples are declared in the form of drafts before 2020-12, which the checks of requests read.
    if (Array.isArray(items)) Object.assign(written, tupleOf(items.map(write), additionalItems));
    else if (items !== undefined) written["items"] = write(items);
    return written;
  }

  function addGeojson(name: string): void {
    const body = GEOJSON_COMPONENTS[name];
    if (body === undefined || named.has(name)) return;
    named.set(name, { text: "", description: body["description"], body });
    for (const [, used = ""] of JSON.stringify(body).matchAll(/"#\/components\/schemas\/(\w+)"/g)) addGeojson(used);
  }

  function geojson(name: string, schema: Json): Json {
    addGeojson(name);
    const isNullable = Array.isArray(schema["type"]) && schema["type"].includes("null");
    const reference = describedReference(name, schema["description"], GEOJSON_COMPONENTS[name]?.["description"]);
    return isNullable ? { oneOf: [reference, { type: "null" }] } : reference;
  }

  function write(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(write);
    if (!isObject(schema)) return schema;
    const name = nameOf(schema);
    if (name === null) return writeMembers(schema);
    if (Object.hasOwn(GEOJSON_COMPONENTS, name)) return geojson(name, schema);
    const { description, ...compared } = schema;
    const text = JSON.stringify(compared);
    let known = named.get(name);
    if (known === undefined) {
      known = { text, description: descriptions.get(name) ?? description, body: null };
      named.set(name, known);
      const body = writeMembers({
        ...schema,
        ...(known.description === undefined ? {} : { description: known.description }),
      });
      named.set(name, { ...known, body });
    }
    if (known.text !== text) {
      throw new Error(`two schemas claim the name ${name}: ${excerpt(known.text)} and ${excerpt(text)}`);
    }
    return describedReference(name, description, known.description);
  }

  return {
    write,
    components() {
      const entries = [...named].map(([name, { body }]): [string, unknown] => [name, body]);
      return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
    },
  };
}

function describedReference(name: string, description: unknown, known: unknown): Json {
  const reference = { $ref: `${REFERENCE}${name}` };
  return description === undefined || description === known ? reference : { ...reference, description };
}

/** Equal members are written as a list of fixed length, which generators of clients read. */
function tupleOf(members: readonly unknown[], additional: unknown): Json {
  const [first] = members;
  const isUniform = members.every((one) => JSON.stringify(one) === JSON.stringify(first));
  const bounds = additional === false ? { minItems: members.length, maxItems: members.length } : {};
  if (isUniform && additional === false) return { items: first, ...bounds };
  const rest = additional === undefined || additional === false ? {} : { items: additional };
  return { prefixItems: members, ...rest, ...bounds };
}

/** A choice of texts as an enumeration: generators of clients read a choice of constants as its last one. */
function withEnumOf(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const texts = anyOf.flatMap((one) => (isObject(one) && typeof one["const"] === "string" ? [one["const"]] : []));
  const others = anyOf.filter((one) => !(isObject(one) && typeof one["const"] === "string"));
  if (texts.length < 2) return schema;
  const choice = { type: "string", enum: texts };
  return others.length === 0 ? { ...rest, ...choice } : { ...rest, anyOf: [choice, ...others] };
}

const excerpt = (text: string): string => text.slice(0, 200);

/** Only a schema proper has a name: `properties` may have a member called `title`. */
function nameOf(schema: Json): string | null {
  const isSchema = ["type", "anyOf", "allOf", "oneOf", "enum", "const"].some((key) => key in schema);
  const name = schema["$id"] ?? schema["title"];
  return isSchema && typeof name === "string" && NAME.test(name) ? name : null;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null;
}
