/** A file or text that is no area; the message says why, and the way out. */
export class AreaFileError extends Error {
  override readonly name = "AreaFileError";
}
