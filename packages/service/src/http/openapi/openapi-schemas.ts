type Json = Readonly<Record<string, unknown>>;

/** Collects schemas that have a name of their own, so that the document holds each of them once. */
export interface SchemaBook {
  /** The schema as the document writes it: named parts become references. */
  write(schema: unknown): unknown;
  /** Named schemas by name, sorted. */
  components(): Record<string, unknown>;
}

const NAME = /^[A-Z][A-Za-z0-9]*$/;

/**
 * A name is the schema's `$id` or `title` in PascalCase. Where two different schemas claim one name the first keeps
 * it and the others are written out where they stand.
 */
export function createSchemaBook(): SchemaBook {
  const named = new Map<string, { readonly text: string; readonly body: unknown }>();

  function writeMembers(schema: Json): Record<string, unknown> {
    const written: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(schema)) {
      if (key === "$id" || key === "$schema") continue;
      // Tuples are declared as drafts before 2020-12 have them, which the checks read; OpenAPI 3.1 knows only the new form.
      if (key === "items" && Array.isArray(value)) {
        written["prefixItems"] = write(value);
        continue;
      }
      if (key === "additionalItems") {
        written["items"] = write(value);
        continue;
      }
      // What stands in these is data, not schemas.
      written[key] =
        key === "const" || key === "enum" || key === "default" || key === "examples" ? value : write(value);
    }
    return written;
  }

  function write(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(write);
    if (!isObject(schema)) return schema;
    const name = nameOf(schema);
    if (name === null) return writeMembers(schema);
    const text = JSON.stringify(schema);
    const known = named.get(name);
    if (known === undefined) {
      named.set(name, { text, body: null });
      named.set(name, { text, body: writeMembers(schema) });
    } else if (known.text !== text) return writeMembers(schema);
    return { $ref: `#/components/schemas/${name}` };
  }

  return {
    write,
    components() {
      const entries = [...named].map(([name, { body }]): [string, unknown] => [name, body]);
      return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
    },
  };
}

/** Only a schema proper has a name: `properties` may have a member called `title`. */
function nameOf(schema: Json): string | null {
  const isSchema = ["type", "anyOf", "allOf", "oneOf", "enum", "const"].some((key) => key in schema);
  const name = schema["$id"] ?? schema["title"];
  return isSchema && typeof name === "string" && NAME.test(name) ? name : null;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null;
}
