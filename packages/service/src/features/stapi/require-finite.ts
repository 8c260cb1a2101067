import { badRequest } from "./stapi-error.ts";

/** JSON of a request may hold numbers such as 1e400, which no JSON of an answer can. @throws {ServiceError} BAD-REQUEST */
export function requireFinite(value: unknown, path: string): void {
  if (typeof value === "number" && !Number.isFinite(value)) throw badRequest(path, "has a number beyond all bounds");
  if (typeof value !== "object" || value === null) return;
  for (const member of Object.values(value)) requireFinite(member, path);
}
