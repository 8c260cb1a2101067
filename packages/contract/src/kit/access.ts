/**
 * Credential that a call needs.
 * - `public`: none; a sent one is ignored.
 * - `optional`: works without a token; a sent token must be valid and changes the answer.
 * - `bearer`: a valid token or API key.
 * - `user`: a user token; API keys get 403.
 */
export type Access = "public" | "optional" | "bearer" | "user";

/** Permissions that follow from the request alone; all of them are required. */
export type DynamicPermissions<Request> = (request: Request) => readonly string[];

/**
 * Templates of permissions that also depend on the configured catalogue, such as
 * `imagery.images.<provider>.<dataset>`. The feature derives the permissions of a request; all are required.
 */
export type ContentPermissions = readonly string[];

/**
 * Templates of permissions that only some requests need, such as `store.ingested`: `dynamicPermissions` derives them, or
 * the handler checks them. Documents list them.
 */
export type ConditionalPermissions = readonly string[];

/** Rate-limit class: each caller has a bucket of tokens for each class, of the configured size. */
export type RateClass = "read" | "initiate" | "grid";
