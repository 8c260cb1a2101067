/**
 * Saves states of which only the latest counts, one at a time. A state that comes during a save replaces the state
 * that waits.
 */
export class LatestSave<State> {
  readonly #save: (state: State) => Promise<void>;
  #waiting: State | null = null;
  #running: Promise<void> | null = null;

  constructor(save: (state: State) => Promise<void>) {
    this.#save = save;
  }

  tell(state: State): void {
    this.#waiting = state;
    this.#running ??= this.#run();
    // Whoever settles gets the failure.
    this.#running.catch(() => {});
  }

  /** Waits for the save that runs and the state that waits. @throws the failure of a save */
  async settle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting !== null) {
      const state = this.#waiting;
      this.#waiting = null;
      await this.#save(state);
    }
    this.#running = null;
  }
}
