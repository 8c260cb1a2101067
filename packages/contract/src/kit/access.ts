/**
 * Who may call.
 * - `public`: no credential is looked at.
 * - `optional`: works without a token; a token that is sent must be valid and changes the answer.
 * - `bearer`: a valid token or API key.
 * - `user`: a user's token; API keys are answered 403.
 */
export type Access = "public" | "optional" | "bearer" | "user";

/** Permissions that depend on the request; all of them are required. */
export type DynamicPermissions<Request> = (request: Request) => readonly string[];

/** Rate-limit class: tokens per second and caller are configured per class. */
export type RateClass = "read" | "initiate" | "grid";
