/** A file that is not what it should be. The message says what was found and what was expected. */
export class SkiError extends Error {
  override readonly name = "SkiError";
}
