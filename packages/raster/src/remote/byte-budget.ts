import { RasterError } from "../raster-error.ts";

/** Bytes that reading one thing from other hosts may take, all its files together. */
export class ByteBudget {
  readonly #limit: number;
  readonly #what: string;
  #taken = 0;

  constructor(limit: number, what: string) {
    this.#limit = limit;
    this.#what = what;
  }

  get taken(): number {
    return this.#taken;
  }

  /** @throws {RasterError} too-large when less than that is left */
  take(bytes: number): void {
    if (this.#taken + bytes > this.#limit) {
      throw new RasterError(
        "too-large",
        `${this.#what} needs more than ${this.#limit} bytes from its provider, which is the limit; ask for a smaller extent`,
      );
    }
    this.#taken += bytes;
  }
}
