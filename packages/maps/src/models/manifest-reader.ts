/** Members of an unread JSON object. */
export type Members = Readonly<Record<string, unknown>>;

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object at a place of a document; an empty one, and a fault, where there is none. */
export function section(value: unknown, at: string, faults: string[]): Members {
  if (isMembers(value)) return value;
  faults.push(`${at === "" ? "/" : at}: expected an object`);
  return {};
}

/** The value if it is a finite number. */
export function finite(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Reads members of one object; a wrong member becomes a fault and a harmless value. */
export class ManifestReader {
  readonly #of: Members;
  readonly #at: string;
  readonly #faults: string[];

  constructor(of: Members, at: string, faults: string[]) {
    this.#of = of;
    this.#at = at;
    this.#faults = faults;
  }

  has(name: string): boolean {
    return this.#of[name] !== undefined;
  }

  /** The fallback; a fault when the member is there. */
  absent<Value>(name: string, when: string, fallback: Value): Value {
    if (this.has(name)) this.#fault(name, `nothing ${when}`);
    return fallback;
  }

  /** A list of one of the lengths. */
  listOf<Item>(
    name: string,
    lengths: readonly number[],
    read: (value: unknown) => Item | undefined,
    expected: string,
  ): readonly Item[] {
    const value = this.#of[name];
    const length = Array.isArray(value) && lengths.includes(value.length) ? value.length : Math.max(...lengths);
    return this.list(name, length, length, read, expected);
  }

  onlyKnows(names: readonly string[]): void {
    for (const name of Object.keys(this.#of)) {
      if (!names.includes(name)) this.#faults.push(`${this.#at}/${name}: there is no such member`);
    }
  }

  #fault(name: string, expected: string): void {
    const got = this.has(name) ? (JSON.stringify(this.#of[name]) ?? "nothing").slice(0, 80) : "nothing";
    this.#faults.push(`${this.#at}/${name}: got ${got}, expected ${expected}`);
  }

  text(name: string, maxLength: number, form: RegExp, expected: string): string {
    const value = this.#of[name];
    if (typeof value === "string" && value.length <= maxLength && form.test(value)) return value;
    this.#fault(name, expected);
    return "";
  }

  optionalText(name: string): string | null {
    return this.has(name) ? this.text(name, 200, /\S/u, "the name of a tensor") : null;
  }

  choice<const Choice extends string>(name: string, choices: readonly [Choice, ...Choice[]]): Choice {
    const found = choices.find((choice) => choice === this.#of[name]);
    if (found !== undefined) return found;
    this.#fault(name, `one of ${choices.join(", ")}`);
    return choices[0];
  }

  number(name: string, min: number, max: number): number {
    const value = finite(this.#of[name]);
    if (value !== undefined && value >= min && value <= max) return value;
    this.#fault(name, `a number from ${min} to ${max}`);
    return min;
  }

  list<Item>(
    name: string,
    min: number,
    max: number,
    read: (value: unknown) => Item | undefined,
    expected: string,
  ): readonly Item[] {
    const value = this.#of[name];
    const items = Array.isArray(value) ? value.map(read) : [];
    const good = items.filter((item) => item !== undefined);
    if (Array.isArray(value) && good.length === items.length && good.length >= min && good.length <= max) return good;
    this.#fault(name, `a list of ${min === max ? min : `${min} to ${max}`}: ${expected}`);
    return [];
  }
}
