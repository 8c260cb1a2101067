/** One fault of a request; `path` is a JSON Pointer into it. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
}

/** An error answer of the service. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** HTTP status. */
  readonly status: number;
  /** Stable code such as `CREDITS-ERROR`; `ERROR` for an answer without a code. */
  readonly code: string;
  /** Faults of the request, with 422. */
  readonly details: readonly ErrorDetail[];
  /** Id of the request, for questions to the operator. */
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

/** Reads the error of an answer, in the form of the service or of its token requests. */
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
