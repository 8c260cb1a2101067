import { Shares } from "./shares.ts";

interface Waiting {
  readonly share: string;
  readonly answer: (isTaken: boolean) => void;
}

/** Those that come later go to the queue at once. */
const MOST_WAITING = 200;

/** Places of one process, for which shares wait a moment; a free one goes to the share that holds the fewest. */
export class Places {
  readonly #total: number;
  readonly #perShare: number;
  readonly #shares = new Shares();
  readonly #waiting: Waiting[] = [];
  #taken = 0;

  constructor(total: number, perShare: number) {
    this.#total = total;
    this.#perShare = perShare;
  }

  /** Takes a place; false when none becomes free in time, or too many wait. `leave` gives it back. */
  async take(share: string, waitMs: number): Promise<boolean> {
    if (this.#isFree(share)) {
      this.#add(share);
      return true;
    }
    if (this.#waiting.length >= MOST_WAITING) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiting: Waiting = { share, answer: resolve };
    this.#waiting.push(waiting);
    const timer = setTimeout(() => {
      const at = this.#waiting.indexOf(waiting);
      if (at >= 0) this.#waiting.splice(at, 1);
      resolve(false);
    }, waitMs);
    const isTaken = await promise;
    clearTimeout(timer);
    return isTaken;
  }

  leave(share: string): void {
    this.#shares.remove(share);
    this.#taken -= 1;
    const next = this.#next();
    if (next === null) return;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#add(next.share);
    next.answer(true);
  }

  /** The first of those that wait whose share holds the fewest places. */
  #next(): Waiting | null {
    const free = this.#waiting.filter(({ share }) => this.#isFree(share));
    const held = ({ share }: Waiting): number => this.#shares.counts.get(share) ?? 0;
    return free.reduce<Waiting | null>((best, one) => (best === null || held(one) < held(best) ? one : best), null);
  }

  #isFree(share: string): boolean {
    return this.#taken < this.#total && (this.#shares.counts.get(share) ?? 0) < this.#perShare;
  }

  #add(share: string): void {
    this.#shares.add(share);
    this.#taken += 1;
  }
}
