import { ServiceError } from "@swath/kernel/errors/service-error";

/** An import holds its body in memory. */
const OF_ALL = 8;
const OF_CALLER = 2;

/** Imports under way in this process. */
export class ImportPlaces {
  readonly #held = new Map<string, number>();
  #all = 0;

  /** @throws {ServiceError} TOO-MANY-REQUESTS when the caller or all callers together have no place left */
  async run<Result>(userId: string, work: () => Promise<Result>): Promise<Result> {
    const held = this.#held.get(userId) ?? 0;
    if (held >= OF_CALLER || this.#all >= OF_ALL) {
      const many = held >= OF_CALLER ? `${OF_CALLER} imports of yours are` : `${OF_ALL} imports are`;
      throw new ServiceError("TOO-MANY-REQUESTS", `${many} under way; send one part after the other`, {
        retryAfterS: 1,
      });
    }
    this.#held.set(userId, held + 1);
    this.#all += 1;
    try {
      return await work();
    } finally {
      this.#all -= 1;
      const left = (this.#held.get(userId) ?? 1) - 1;
      if (left === 0) this.#held.delete(userId);
      else this.#held.set(userId, left);
    }
  }
}
