/** One fault of a request; `path` is a JSON Pointer into it. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
}

/** An answer of the service that is not a success. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** HTTP status. */
  readonly status: number;
  /** Stable, such as `CREDITS-ERROR`; `ERROR` when the answer carried none. */
  readonly code: string;
  /** Faults of the request, with 422. */
  readonly details: readonly ErrorDetail[];
  /** To be quoted to the operator. */
  readonly requestId: string | null;

  constructor(answer: {
    readonly status: number;
    readonly code: string;
    readonly message: string;
    readonly details?: readonly ErrorDetail[];
    readonly requestId?: string | null;
  }) {
    super(answer.message);
    this.status = answer.status;
    this.code = answer.code;
    this.details = answer.details ?? [];
    this.requestId = answer.requestId ?? null;
  }
}

/** Reads the error an answer carries, in the service's form or that of its token requests. */
export async function readApiError(answer: Response): Promise<ApiError> {
  const body = await answer.json().catch(() => null);
  const code = textOf(body, "error") ?? "ERROR";
  const message = textOf(body, "errorMessage") ?? textOf(body, "error_description") ?? answer.statusText;
  return new ApiError({
    status: answer.status,
    code,
    message: message === "" ? `HTTP status ${answer.status}` : message,
    details: detailsOf(body),
    requestId: answer.headers.get("request-id"),
  });
}

function textOf(body: unknown, name: string): string | null {
  const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, name) : null;
  return typeof value === "string" ? value : null;
}

function detailsOf(body: unknown): ErrorDetail[] {
  const details: unknown = typeof body === "object" && body !== null ? Reflect.get(body, "details") : null;
  if (!Array.isArray(details)) return [];
  return details.map((detail) => ({ path: textOf(detail, "path") ?? "", message: textOf(detail, "message") ?? "" }));
}
