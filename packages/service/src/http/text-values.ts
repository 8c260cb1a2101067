const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Path parameters and query as the schema's types. Text that does not read as the wanted type stays text, and the
 * schema refuses it. A name given twice keeps its last value; an empty value of a number or boolean is absent.
 */
export function readTexts(
  schema: unknown,
  texts: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, unknown> {
  const properties = isRecord(schema) && isRecord(schema["properties"]) ? schema["properties"] : {};
  const values: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(properties)) {
    const given = texts[name];
    const text = typeof given === "object" ? given.at(-1) : given;
    if (text === undefined) continue;
    const value = readText(member, text);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

function readText(schema: unknown, text: string): unknown {
  const types = typesOf(schema);
  if (text === "" && !types.has("string")) return undefined;
  if ((types.has("integer") || types.has("number")) && NUMBER.test(text)) return Number(text);
  if (types.has("boolean")) {
    if (text === "true" || text === "1") return true;
    if (text === "false" || text === "0") return false;
  }
  return text;
}

/** Types a schema takes, through its unions. */
function typesOf(schema: unknown): Set<unknown> {
  if (!isRecord(schema)) return new Set();
  const own = Array.isArray(schema["type"]) ? schema["type"] : [schema["type"]];
  const choices = [schema["anyOf"], schema["oneOf"]].filter(Array.isArray).flat();
  return new Set([...own, ...choices.flatMap((choice) => [...typesOf(choice)])]);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
