/** A frame of an animation, encoded as a picture. */
export interface AnimationFrame {
  readonly picture: Uint8Array;
  readonly durationMs: number;
}

export interface AnimationSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** A file of one frame after another, which repeats without end. */
export interface AnimationFormat {
  readonly mediaType: string;
  /** The bytes of a frame in the file. @throws {RangeError} for bytes that are no picture of the format */
  frame(frame: AnimationFrame, size: AnimationSize): Uint8Array;
  /** The bytes before the first frame; `framesBytes` is the length of all frames. */
  start(size: AnimationSize, framesBytes: number): Uint8Array;
  /** The bytes after the last frame. */
  readonly end: Uint8Array;
}
