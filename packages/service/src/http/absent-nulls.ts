type Schema = Readonly<Record<string, unknown>>;

/**
 * Removes, in place, members that are null where the schema makes them optional and does not take null: a client
 * that sends null for an optional field means that it is absent. Members the schema does not name are left alone.
 */
export function dropAbsentNulls(schema: unknown, value: unknown): void {
  if (!isRecord(schema)) return;
  if (Array.isArray(value)) {
    const items = schema["items"];
    if (!isRecord(items) || !describesMembers(items)) return;
    for (const item of value) dropAbsentNulls(items, item);
    return;
  }
  if (!isRecord(value)) return;
  const properties = schema["properties"];
  if (!isRecord(properties)) return;
  const required = schema["required"];
  for (const [name, member] of Object.entries(properties)) {
    if (!Object.hasOwn(value, name)) continue;
    if (value[name] !== null) {
      dropAbsentNulls(member, value[name]);
    } else if (!(Array.isArray(required) && required.includes(name)) && !takesNull(member)) {
      delete value[name];
    }
  }
}

function describesMembers(schema: Schema): boolean {
  return isRecord(schema["properties"]) || isRecord(schema["items"]);
}

function takesNull(schema: unknown): boolean {
  if (!isRecord(schema)) return true;
  const { type, anyOf, oneOf, enum: choices } = schema;
  if ("const" in schema) return schema["const"] === null;
  if (Array.isArray(choices)) return choices.includes(null);
  if (Array.isArray(anyOf)) return anyOf.some(takesNull);
  if (Array.isArray(oneOf)) return oneOf.some(takesNull);
  if (Array.isArray(type)) return type.includes("null");
  return type === undefined || type === "null";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
