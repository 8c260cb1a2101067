const SEGMENT = /^[A-Za-z0-9._=-]+$/u;
const MAX_LENGTH = 512;

/**
 * Refuses what is not a blob key; see `BlobStore`.
 *
 * @throws {RangeError}
 */
export function checkBlobKey(key: string): void {
  if (key.length > MAX_LENGTH)
    throw new RangeError(`a blob key has at most ${MAX_LENGTH} characters, got ${key.length}`);
  for (const segment of key.split("/")) {
    if (segment === "." || segment === ".." || !SEGMENT.test(segment)) {
      throw new RangeError(
        `"${key}" is not a blob key: segments of [A-Za-z0-9._=-] separated by "/", none "." or ".."`,
      );
    }
  }
}

/**
 * Refuses what no key can start with. The empty prefix is every blob.
 *
 * @throws {RangeError}
 */
export function checkBlobPrefix(prefix: string): void {
  if (prefix === "") return;
  checkBlobKey(prefix.endsWith("/") ? prefix.slice(0, -1) : prefix);
}
