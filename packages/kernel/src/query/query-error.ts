/** A query that cannot be understood; `path` is a JSON Pointer to the offending node of it. */
export class QueryError extends Error {
  override readonly name = "QueryError";
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

/** A member's name as a step of a JSON Pointer. */
export function pointer(path: string, step: string | number): string {
  return `${path}/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
