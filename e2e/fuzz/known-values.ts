/** Values of one name that are kept; the oldest give way. */
const KEPT = 48;

/**
 * Identifiers that exist, by the name of the member that takes them: a request about nothing that exists is refused
 * before it does anything.
 */
export class KnownValues {
  readonly #byName = new Map<string, unknown[]>();
  /** Values seen since the last `adopt`. A request must shrink among the values of its generation. */
  #seen: { readonly name: string; readonly value: unknown }[] = [];

  add(name: string, value: unknown): void {
    const values = this.#byName.get(name) ?? [];
    if (values.includes(value)) return;
    values.push(value);
    if (values.length > KEPT) values.shift();
    this.#byName.set(name, values);
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** A value of the name; undefined where none is known. */
  pick(name: string, index: number): unknown {
    const values = this.#byName.get(name) ?? [];
    return values[index % Math.max(1, values.length)];
  }

  /** Remembers identifiers, cursors and addresses of an answer until `adopt`; a pipeline also by the path of its kind. */
  see(answer: unknown, path = ""): void {
    const visit = (name: string, value: unknown, depth: number): void => {
      if (typeof value === "string" && name === "url") {
        this.#seen.push({ name: addressName(value), value: value.replace(/^https?:\/\/[^/]+/, "") });
      } else if (typeof value === "string" && /(?:^id|Id|^cursor|^filepath)$/.test(name)) {
        this.#seen.push({ name, value });
        if (name === "pipelineId") this.#seen.push({ name: pipelineName(path), value });
      } else if (typeof value === "number" && name === "cursor") {
        this.#seen.push({ name: "integerCursor", value });
      } else if (Array.isArray(value)) {
        for (const item of value.slice(0, 3)) visit(name, item, depth + 1);
      } else if (typeof value === "object" && value !== null && depth < 6) {
        for (const [member, part] of Object.entries(value).slice(0, 40)) visit(member, part, depth + 1);
      }
    };
    if (this.#seen.length < 10_000) visit("", answer, 0);
  }

  /** Makes the values that were seen available to requests. */
  adopt(): void {
    for (const { name, value } of this.#seen) this.add(name, value);
    this.#seen = [];
  }
}

/** The name of the addresses that differ from this one in their last part and their query only. */
export function addressName(url: string): string {
  const path = url.replace(/^https?:\/\/[^/]+/, "").replace(/\?.*$/, "");
  return `address below ${path.split("/").slice(1, 4).join("/")}`;
}

/** The name of the pipelines that the path, of their start or of their end, belongs to. */
export function pipelineName(path: string): string {
  return `pipeline of ${path.replace(/\/(?:initiate|retrieve)$/, "")}`;
}
