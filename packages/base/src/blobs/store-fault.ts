/** Why a store or disk takes no writes: no room is left, or it is read-only, out of reach or broken. */
export type StoreFaultKind = "full" | "unavailable";

/** A store of the service cannot be used now. The same work succeeds once an operator has repaired the store. */
export class StoreFaultError extends Error {
  override readonly name = "StoreFaultError";
  readonly kind: StoreFaultKind;

  constructor(kind: StoreFaultKind, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
  }
}

const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);
const UNAVAILABLE: ReadonlySet<string> = new Set(["EROFS", "EACCES", "EPERM", "EIO", "ESTALE"]);
/** Calls on files and folders. Sockets and processes are no stores. */
const FILE_CALL =
  /^(?:open|write|read|mkdir|mkdtemp|rename|unlink|rm|rmdir|copyfile|f?truncate|f(?:data)?sync|scandir|close|f?stat|utime)/u;
const MOST_CAUSES = 8;

/**
 * The fault of a store that an error or one of its causes tells. Null for any other error. Only the service writes to
 * local files, so that a full or read-only disk is a fault of its store.
 */
export function storeFaultOf(error: unknown): StoreFaultKind | null {
  let one = error;
  for (let depth = 0; depth < MOST_CAUSES && one instanceof Error; depth += 1) {
    if (one instanceof StoreFaultError) return one.kind;
    if (isFileCall(one)) {
      if (FULL.has(one.code)) return "full";
      if (UNAVAILABLE.has(one.code)) return "unavailable";
    }
    one = one.cause;
  }
  return null;
}

function isFileCall(error: Error): error is Error & { readonly code: string } {
  const { code, syscall } = error as { readonly code?: unknown; readonly syscall?: unknown };
  return typeof code === "string" && typeof syscall === "string" && FILE_CALL.test(syscall);
}
