/**
 * Credential that a call needs.
 * - `public`: none; a sent one is ignored.
 * - `optional`: works without a token; a sent token must be valid and changes the answer.
 * - `bearer`: a valid token or API key.
 * - `user`: a user token; API keys get 403.
 */
export type Access = "public" | "optional" | "bearer" | "user";

/** Permissions that depend on the request; all of them are required. */
export type DynamicPermissions<Request> = (request: Request) => readonly string[];

/** Rate-limit class: tokens per second and caller are configured per class. */
export type RateClass = "read" | "initiate" | "grid";
