/** Pipelines of each share that run in one place, counted. */
export class Shares {
  readonly #counts = new Map<string, number>();

  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  add(share: string): void {
    this.#counts.set(share, (this.#counts.get(share) ?? 0) + 1);
  }

  remove(share: string): void {
    const left = (this.#counts.get(share) ?? 0) - 1;
    if (left > 0) this.#counts.set(share, left);
    else this.#counts.delete(share);
  }
}
