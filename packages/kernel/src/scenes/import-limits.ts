/** Bytes and lines of items that one request registers. */
export const MAX_IMPORT_BYTES = 32 * 1024 * 1024;
export const MAX_IMPORT_LINES = 20_000;
