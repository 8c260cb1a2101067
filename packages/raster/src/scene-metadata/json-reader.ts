import { isStorableText } from "@swath/kernel/text/storable-text";
import { nearestName } from "@swath/kernel/text/nearest-name";
import { RasterError } from "../raster-error.ts";
import type { UnreadMember } from "./scene-metadata.ts";

const MAX_TEXT = 2000;
/** Unread members that are reported, and characters of their names. */
const MAX_UNREAD = 20;
const MAX_NAME = 100;

/** Typed reading of the members of an untrusted JSON object; a wrong type is refused with the name of the member. */
export class JsonReader {
  readonly path: string;
  readonly #object: Readonly<Record<string, unknown>>;
  readonly #asked = new Set<string>();

  private constructor(object: Readonly<Record<string, unknown>>, path: string) {
    this.#object = object;
    this.path = path;
  }

  static of(value: unknown, path: string): JsonReader {
    if (!isRecord(value)) throw new RasterError("bad-document", `${path} is ${kindOf(value)}, expected an object`);
    return new JsonReader(value, path);
  }

  value(key: string): unknown {
    this.#asked.add(key);
    return this.#object[key];
  }

  /** Members that no method was asked for, each with the member that was probably meant. */
  unread(prefix = ""): readonly UnreadMember[] {
    const names = Object.keys(this.#object).filter((key) => !this.#asked.has(key) && isStorableText(key));
    return names
      .slice(0, MAX_UNREAD)
      .map((key) => ({ path: prefix + key.slice(0, MAX_NAME), didYouMean: nearestName(key, this.#asked) }));
  }

  text(key: string): string | undefined {
    const value = this.value(key);
    if (value === undefined || value === null) return undefined;
    if (typeof value !== "string" || value.length > MAX_TEXT)
      this.#fail(key, `a text of at most ${MAX_TEXT} characters`);
    if (!isStorableText(value)) this.#fail(key, "a text without U+0000 and halves of surrogate pairs");
    return value;
  }

  number(key: string, low = -Number.MAX_VALUE, high = Number.MAX_VALUE): number | undefined {
    const value = this.value(key);
    if (value === undefined || value === null) return undefined;
    // JSON has no NaN; writers spell the nodata value "nan".
    if (key === "nodata" && typeof value === "string" && /^nan$/i.test(value)) return Number.NaN;
    if (typeof value !== "number" || !(value >= low && value <= high)) {
      this.#fail(key, low === -Number.MAX_VALUE ? "a number" : `a number from ${low} to ${high}`);
    }
    return value;
  }

  boolean(key: string): boolean | undefined {
    const value = this.value(key);
    if (value === undefined || value === null) return undefined;
    if (typeof value !== "boolean") this.#fail(key, "true or false");
    return value;
  }

  choice<const Choice extends string>(key: string, choices: readonly Choice[]): Choice | undefined {
    const text = this.text(key);
    if (text === undefined) return undefined;
    const found = choices.find((choice) => choice === text);
    return found ?? this.#fail(key, choices.map((choice) => `"${choice}"`).join(" or "));
  }

  texts(key: string): readonly string[] | undefined {
    const value = this.value(key);
    if (value === undefined || value === null) return undefined;
    if (!Array.isArray(value) || value.length === 0 || value.length > 20) this.#fail(key, "a list of 1 to 20 texts");
    return value.map((entry: unknown) =>
      typeof entry === "string" && entry !== "" && entry.length <= 100 && isStorableText(entry)
        ? entry
        : this.#fail(key, "a list of texts"),
    );
  }

  /** `{ [key]: value }`, or nothing when the value is undefined: optional members stay absent. */
  defined<const Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } {
    const entry: { [K in Key]?: Value } = {};
    if (value !== undefined) entry[key] = value;
    return entry;
  }

  #fail(key: string, expected: string): never {
    throw new RasterError("bad-document", `${this.path}: ${key} is ${kindOf(this.#object[key])}, expected ${expected}`);
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object") return "an object";
  return JSON.stringify(value).slice(0, 80);
}
