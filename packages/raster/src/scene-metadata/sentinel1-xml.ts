import { XMLParser } from "fast-xml-parser";
import { RasterError } from "../raster-error.ts";

/** Longer documents are no Sentinel-1 metadata; the longest annotation seen has 2 MB. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
const MAX_DEPTH = 40;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  trimValues: true,
});

/** An element: its children by name, one or a list of them, its attributes with `@` before their names. */
export type XmlNode = Readonly<Record<string, unknown>>;

/**
 * Reads an XML document without a document type, so that it can define no entities.
 *
 * @throws {RasterError} bad-document when it is no such document
 */
export function parseXml(content: string, name: string): XmlNode {
  if (content.length > MAX_CHARACTERS)
    throw refuse(name, `has ${content.length} characters, at most ${MAX_CHARACTERS}`);
  if (/<!(?:DOCTYPE|ENTITY)/i.test(content)) throw refuse(name, "has a document type, expected plain XML");
  let value: unknown;
  try {
    value = parser.parse(content, true);
  } catch (cause) {
    throw refuse(name, `is not XML: ${cause instanceof Error ? cause.message.slice(0, 200) : "unreadable"}`, cause);
  }
  if (!isNode(value)) throw refuse(name, "holds no element");
  return value;
}

function isNode(value: unknown): value is XmlNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The element at a path of names, the first of each where there are several; null when there is none. */
export function child(node: XmlNode | null, ...path: readonly string[]): XmlNode | null {
  let current: unknown = node;
  for (const name of path) {
    if (!isNode(current)) return null;
    const next = current[name];
    current = Array.isArray(next) ? next[0] : next;
  }
  return isNode(current) ? current : null;
}

/** All elements of a name below a node. */
export function children(node: XmlNode | null, name: string): readonly XmlNode[] {
  const value = node?.[name];
  return (Array.isArray(value) ? value : [value]).filter(isNode);
}

/** The text of an element at a path, the first of each name; null when it is absent or empty. */
export function text(node: XmlNode | null, ...path: readonly string[]): string | null {
  const name = path.at(-1);
  if (name === undefined) return null;
  return textOf(child(node, ...path.slice(0, -1))?.[name]);
}

/** The same as a finite number. */
export function number(node: XmlNode | null, ...path: readonly string[]): number | null {
  const found = text(node, ...path);
  const value = Number(found);
  return found === null || !Number.isFinite(value) ? null : value;
}

/** Texts of all elements of a name below a node, with an attribute if they are to have it. */
export function texts(
  node: XmlNode | null,
  name: string,
  attribute?: readonly [name: string, value: string],
): string[] {
  const value = node?.[name];
  return (Array.isArray(value) ? value : [value]).flatMap((one: unknown) => {
    if (attribute !== undefined && (!isNode(one) || one[`@${attribute[0]}`] !== attribute[1])) return [];
    return textOf(one) ?? [];
  });
}

/** The first element of a name anywhere below, depth first. */
export function find(node: XmlNode | null, name: string, depth = 0): XmlNode | null {
  if (node === null || depth > MAX_DEPTH) return null;
  const own = child(node, name);
  if (own !== null) return own;
  for (const value of Object.values(node)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      const found = isNode(one) ? find(one, name, depth + 1) : null;
      if (found !== null) return found;
    }
  }
  return null;
}

function textOf(value: unknown): string | null {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const content = isNode(first) ? first["#text"] : first;
  return typeof content === "string" && content !== "" ? content : null;
}

function refuse(name: string, message: string, cause?: unknown): RasterError {
  return new RasterError("bad-document", `${name}: ${message}`, cause === undefined ? {} : { cause });
}
