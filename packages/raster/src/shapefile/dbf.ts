/** Values of one record, by name of the field. */
export type Attributes = Readonly<Record<string, number | string>>;

interface Field {
  readonly key: string;
  readonly name: string;
  readonly type: "N" | "C";
  readonly length: number;
  readonly decimals: number;
}

const MAX_FIELDS = 128;
const MAX_NAME = 10;
const MAX_TEXT_BYTES = 254;
const NUMBER_LENGTH = 20;
const MAX_DECIMALS = 8;
const HEADER_BYTES = 32;
const FIELD_BYTES = 32;
/** 1980-01-01: the same records give the same bytes. */
const DATE = [80, 1, 1] as const;
const encoder = new TextEncoder();

/** Names of ten letters, digits and underscores; later ones that would be the same get a number. */
function fieldNames(keys: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return keys.map((key) => {
    const plain = key.replaceAll(/[^A-Za-z0-9_]/gu, "_").slice(0, MAX_NAME) || "field";
    let name = plain;
    for (let copy = 1; taken.has(name.toLowerCase()); copy++) {
      name = `${plain.slice(0, MAX_NAME - String(copy).length - 1)}_${copy}`;
    }
    taken.add(name.toLowerCase());
    return name;
  });
}

function decimalsOf(value: number): number {
  const text = String(value);
  if (text.includes("e")) return MAX_DECIMALS;
  const point = text.indexOf(".");
  return point < 0 ? 0 : Math.min(text.length - point - 1, MAX_DECIMALS);
}

function fieldsOf(records: readonly Attributes[], always: readonly string[]): readonly Field[] {
  const keys = [...new Set([...always, ...records.flatMap((record) => Object.keys(record))])].slice(0, MAX_FIELDS);
  const names = fieldNames(keys);
  return keys.map((key, index): Field => {
    let isNumber = false;
    let isText = false;
    let length = 1;
    let decimals = 0;
    for (const record of records) {
      const value = record[key];
      if (typeof value === "number") {
        isNumber = true;
        decimals = Math.max(decimals, decimalsOf(value));
        length = Math.max(length, encoder.encode(String(value)).length);
      } else if (value !== undefined) {
        isText = true;
        length = Math.max(length, encoder.encode(value).length);
      }
    }
    const name = names[index] ?? key;
    return isNumber && !isText
      ? { key, name, type: "N", length: NUMBER_LENGTH, decimals }
      : { key, name, type: "C", length: Math.min(length, MAX_TEXT_BYTES), decimals: 0 };
  });
}

/** Text cut at a whole character so that its UTF-8 form fits. */
function clippedText(text: string, length: number): Uint8Array {
  const target = new Uint8Array(length).fill(0x20);
  encoder.encodeInto(text, target);
  return target;
}

function numberText(value: number, { length, decimals }: Field): string {
  const fixed = value.toFixed(decimals);
  const text = fixed.length <= length ? fixed : value.toExponential(length - 8);
  return text.padStart(length);
}

function cell(value: number | string | undefined, field: Field): Uint8Array {
  if (field.type === "N" && typeof value === "number" && Number.isFinite(value)) {
    return encoder.encode(numberText(value, field));
  }
  return clippedText(value === undefined || field.type === "N" ? "" : String(value), field.length);
}

/**
 * Attributes as a dBASE III table in UTF-8. Fields are numbers where every value is one and text otherwise; a record
 * without a value has blanks there, which readers take for null.
 *
 * @param always fields that exist even without a record
 */
export function encodeDbf(records: readonly Attributes[], always: readonly string[]): Uint8Array {
  const fields = fieldsOf(records, always);
  const headerBytes = HEADER_BYTES + fields.length * FIELD_BYTES + 1;
  const recordBytes = 1 + fields.reduce((sum, { length }) => sum + length, 0);
  const out = new Uint8Array(headerBytes + records.length * recordBytes + 1);
  const view = new DataView(out.buffer);
  out[0] = 3;
  out.set(DATE, 1);
  view.setUint32(4, records.length, true);
  view.setUint16(8, headerBytes, true);
  view.setUint16(10, recordBytes, true);
  for (const [index, { name, type, length, decimals }] of fields.entries()) {
    const at = HEADER_BYTES + index * FIELD_BYTES;
    out.set(encoder.encode(name), at);
    out[at + 11] = type.charCodeAt(0);
    out[at + 16] = length;
    out[at + 17] = decimals;
  }
  out[headerBytes - 1] = 0x0d;
  let at = headerBytes;
  for (const record of records) {
    out[at++] = 0x20;
    for (const field of fields) {
      out.set(cell(record[field.key], field), at);
      at += field.length;
    }
  }
  out[at] = 0x1a;
  return out;
}
