/** Thrown for areas whose overlay no engine can compute, or needs more memory than the engine may have. */
export class OverlayError extends RangeError {
  override readonly name = "OverlayError";
}
