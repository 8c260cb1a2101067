import type { ElementsFormat } from "@swath/contract/features/tasking/elements-contract";
import type { ElementSet } from "@swath/kernel/orbits/element-set";
import { keywordsOfKvn, readOmm, type OmmKeywords } from "@swath/kernel/orbits/read-omm";
import { readTle } from "@swath/kernel/orbits/read-tle";
import { parseXml, type XmlNode } from "@swath/raster/scene-metadata/sentinel1-xml";

/** A set of a text, or the fault that it has there. */
export type ReadSet = { readonly position: string } & (
  | { readonly kind: "set"; readonly set: ElementSet }
  | { readonly kind: "fault"; readonly fault: string }
);

export interface ReadSets {
  readonly format: ElementsFormat;
  readonly sets: readonly ReadSet[];
}

const MAX_SETS = 2_000;
const MAX_DEPTH = 8;
const MAX_SHOWN = 80;

/**
 * Element sets of a text: lines, or OMM as JSON, XML or keyword-value notation.
 *
 * @throws {RangeError} when the text is none of them, or has more than 2,000 sets
 */
export function readElementSets(text: string): ReadSets {
  const trimmed = text.trim();
  const { format, sets } = readAs(trimmed);
  if (sets.length === 0) throw new RangeError("holds no element set, expected lines or OMM as JSON, XML or KVN");
  if (sets.length > MAX_SETS) throw new RangeError(`holds ${sets.length} element sets, expected at most ${MAX_SETS}`);
  return { format, sets };
}

function readAs(text: string): ReadSets {
  if (text.startsWith("{") || text.startsWith("[")) return { format: "omm-json", sets: messages(jsonMessages(text)) };
  if (text.startsWith("<")) return { format: "omm-xml", sets: messages(xmlMessages(text)) };
  if (/^CCSDS_OMM_VERS/mu.test(text)) return { format: "omm-kvn", sets: messages(keywordsOfKvn(text)) };
  return { format: "tle", sets: readLines(text) };
}

function messages(keywords: readonly OmmKeywords[]): readonly ReadSet[] {
  return keywords.map((one, index) => readSet(`set ${index + 1}`, () => readOmm(one)));
}

function readSet(position: string, read: () => ElementSet): ReadSet {
  try {
    return { position, kind: "set", set: read() };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { position, kind: "fault", fault: error.message };
  }
}

function jsonMessages(text: string): readonly OmmKeywords[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new RangeError("is not JSON", { cause });
  }
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map((one) => (isRecord(one) ? one : {}));
}

function xmlMessages(text: string): readonly OmmKeywords[] {
  let root: XmlNode;
  try {
    root = parseXml(text, "the text");
  } catch (cause) {
    throw new RangeError(cause instanceof Error ? cause.message : "is not XML", { cause });
  }
  const ndm = root["ndm"];
  const found = isRecord(ndm) ? ndm["omm"] : root["omm"];
  const list: readonly unknown[] = Array.isArray(found) ? found : [found];
  return list.filter(isRecord).map((omm) => keywordsOf(omm, {}, 0));
}

/** Texts of all elements without children, by name; of equal names the first counts. */
function keywordsOf(node: XmlNode, into: Record<string, unknown>, depth: number): Record<string, unknown> {
  for (const [name, value] of Object.entries(node)) {
    if (name.startsWith("@") || name === "#text" || depth > MAX_DEPTH) continue;
    const one: unknown = Array.isArray(value) ? value[0] : value;
    if (isRecord(one) && one["#text"] === undefined) keywordsOf(one, into, depth + 1);
    else into[name] ??= isRecord(one) ? one["#text"] : one;
  }
  return into;
}

function readLines(text: string): readonly ReadSet[] {
  const sets: ReadSet[] = [];
  let name = "";
  let first: { readonly line: string; readonly number: number } | null = null;
  for (const [index, raw] of text.split(/\r?\n/u).entries()) {
    const line = raw.trimEnd();
    const position = `line ${index + 1}`;
    if (line === "" || line.startsWith("#")) continue;
    if (first !== null) {
      const { line: line1, number } = first;
      const named = name;
      sets.push(readSet(`line ${number}`, () => readTle(line1, line, named)));
      [first, name] = [null, ""];
    } else if (line.startsWith("1 ")) {
      first = { line, number: index + 1 };
    } else if (line.startsWith("2 ") || name !== "") {
      sets.push({ position, kind: "fault", fault: `expected line 1 of a set, got "${line.slice(0, MAX_SHOWN)}"` });
      name = "";
    } else {
      name = line.replace(/^0 /u, "").trim().slice(0, MAX_SHOWN);
    }
  }
  if (first !== null)
    sets.push({ position: `line ${first.number}`, kind: "fault", fault: "line 2 of the set is missing" });
  return sets;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
