/** Memory of planes, by its size. It is kept from one use to the next, and no longer. */
export class PlaneBuffers {
  #free = new Map<number, ArrayBuffer[]>();
  #taken = new Map<number, ArrayBuffer[]>();
  #isInUse = false;

  get isInUse(): boolean {
    return this.#isInUse;
  }

  begin(): void {
    this.#isInUse = true;
  }

  /** Memory of unknown content. */
  take(byteLength: number): ArrayBuffer {
    const buffer = this.#free.get(byteLength)?.pop() ?? new ArrayBuffer(byteLength);
    const taken = this.#taken.get(byteLength);
    if (taken === undefined) this.#taken.set(byteLength, [buffer]);
    else taken.push(buffer);
    return buffer;
  }

  /** All that was taken is free for the next use; what was not needed is given up. */
  end(): void {
    this.#free = this.#taken;
    this.#taken = new Map();
    this.#isInUse = false;
  }
}
