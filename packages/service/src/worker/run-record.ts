import { createBatches } from "@swath/base/concurrency/batches";
import type { Db, Trx } from "../platform/context.ts";
import {
  insertFirstRuns,
  type FirstRun,
  type NewPipeline,
  type RunNotes,
  type StartedRun,
} from "../platform/queue/accept-store.ts";
import {
  failRun,
  releaseRun,
  replaceResult,
  resolveRun,
  resolveRuns,
  updateRun,
  type ResolvedRun,
  type Run,
} from "../platform/queue/run-store.ts";
import type { RecentEnds } from "../platform/queue/recent-ends.ts";
import { inTransaction } from "../platform/postgres/transaction.ts";
import { LostPipelineError } from "./leases.ts";
import { spacedProgress } from "./spaced-progress.ts";

/** Effects of a run, which may return another result, as JSON. */
export type CommitRun = (trx: Trx) => Promise<string | undefined>;

/** Effects of a run that failed. */
type CommitFailure = (trx: Trx) => Promise<void>;

/** How a run is stored. Each write answers false when the run has lost its pipeline, and then changes nothing. */
export interface RunRecord {
  note(column: "progress" | "partial", json: string): Promise<boolean>;
  /** The result and the effects of `commit` are one transaction; a value that it returns replaces the result. */
  resolve(resultJson: string, commit?: CommitRun): Promise<boolean>;
  /** The failure and the effects of `commit` are one transaction. */
  fail(code: string, message: string, commit?: CommitFailure): Promise<boolean>;
  /** Gives the pipeline back, for another run after the pause. */
  release(pauseMs: number, failed: boolean): Promise<boolean>;
}

/** Ends runs without effects, those that end at the same time in one statement. */
export type EndRuns = (end: ResolvedRun) => Promise<boolean>;

const RUNS_TOGETHER = 10;
const STATEMENTS = 2;
/** Larger requests and results are stored by statements of their own: a small one must not wait for their bytes. */
const MOST_TOGETHER_CHARACTERS = 8_192;

export function createEnds(db: Db): EndRuns {
  return createBatches<ResolvedRun, boolean>({
    run: (ends) => resolveRuns(db, ends),
    maxItems: RUNS_TOGETHER,
    maxRunning: STATEMENTS,
  });
}

/** Stores a pipeline with its first run; the time of the change, by the clock of the database. */
export type StoreFirstRun = (started: StartedRun) => Promise<Date>;

/** Stores small first runs that are stored at the same time in one statement. */
export function createFirstRuns(db: Db): StoreFirstRun {
  const storeTogether = createBatches<StartedRun, Date>({
    run: (runs) => insertFirstRuns(db, runs),
    maxItems: RUNS_TOGETHER,
    maxRunning: STATEMENTS,
  });
  return (started) =>
    charactersOf(started) <= MOST_TOGETHER_CHARACTERS ? storeTogether(started) : storeFirstRun(db, started);
}

function charactersOf({ requestJson, run, notes }: StartedRun): number {
  const result = run.status === "RESOLVED" ? run.result.length : 0;
  return requestJson.length + result + (notes.partial?.length ?? 0);
}

async function storeFirstRun(db: Db, started: StartedRun): Promise<Date> {
  const [modifiedAt] = await insertFirstRuns(db, [started]);
  if (modifiedAt === undefined) throw new Error(`pipeline ${started.pipeline.id} has no time`);
  return modifiedAt;
}

/** The record of a run whose pipeline was claimed. Its progress goes with other writes. */
export function claimedRecord(db: Db, run: Run, end: EndRuns): RunRecord {
  const progress = spacedProgress((json) => updateRun(db, run, { progress: json, partial: null }));
  return {
    note: (column, json) =>
      column === "progress" ? progress.put(json) : updateRun(db, run, { progress: progress.take(), partial: json }),
    resolve(resultJson, commit) {
      const ended: ResolvedRun = { run, resultJson, progressJson: progress.take() };
      if (commit === undefined) return end(ended);
      return endWithEffects(
        db,
        (trx) => resolveRun(trx, ended),
        async (trx) => {
          const changed = await commit(trx);
          if (changed !== undefined) await replaceResult(trx, run.id, changed);
        },
      );
    },
    fail(code, message, commit) {
      const failed = { run, code, message, progressJson: progress.take() };
      if (commit === undefined) return failRun(db, failed);
      return endWithEffects(db, (trx) => failRun(trx, failed), commit);
    },
    release: (pauseMs, failed) => releaseRun(db, { run, pauseMs, failed, progressJson: progress.take() }),
  };
}

/** Stores the end of a run and its effects in one transaction; false when the run has lost its pipeline. */
async function endWithEffects(
  db: Db,
  end: (trx: Trx) => Promise<boolean>,
  effects: (trx: Trx) => Promise<void>,
): Promise<boolean> {
  try {
    await inTransaction(db, async (trx) => {
      if (!(await end(trx))) throw new LostPipelineError("finished by another run");
      await effects(trx);
    });
    return true;
  } catch (error) {
    if (error instanceof LostPipelineError) return false;
    throw error;
  }
}

/**
 * The record of a run that began before the row of its pipeline. The row is written once, ended, or by `keep` as running.
 * Until then nobody else knows the pipeline, so that no run can lose it.
 */
export class FirstRunRecord implements RunRecord {
  readonly #db: Db;
  readonly #store: StoreFirstRun;
  readonly #pipeline: NewPipeline;
  readonly #requestJson: string;
  readonly #claimed: RunRecord;
  readonly #recent: RecentEnds | null;
  #notes: RunNotes = { progress: null, partial: null };
  #isWritten = false;
  #isEnded = false;
  #latest: Promise<unknown> = Promise.resolve();

  /** @param claimed the record of the run once its row is written */
  constructor(
    { db, recent, store }: { readonly db: Db; readonly recent: RecentEnds | null; readonly store: StoreFirstRun },
    pipeline: NewPipeline,
    claimed: RunRecord,
  ) {
    this.#db = db;
    this.#recent = recent;
    this.#store = store;
    this.#pipeline = pipeline;
    this.#requestJson = JSON.stringify(pipeline.request);
    this.#claimed = claimed;
  }

  /** Whether the pipeline has its row. */
  get isStored(): boolean {
    return this.#isWritten || this.#isEnded;
  }

  /** Writes the row of a running pipeline, unless the run has ended. */
  keep(worker: string, leaseMs: number): Promise<void> {
    return this.#inOrder(async () => {
      if (this.isStored) return;
      await this.#store(this.#started({ status: "PROCESSING", worker, leaseMs }));
      this.#isWritten = true;
    });
  }

  note(column: "progress" | "partial", json: string): Promise<boolean> {
    return this.#inOrder(async () => {
      if (this.#isWritten) return await this.#claimed.note(column, json);
      this.#notes = { ...this.#notes, [column]: json };
      return true;
    });
  }

  resolve(result: string, commit?: CommitRun): Promise<boolean> {
    return this.#end(
      () => this.#claimed.resolve(result, commit),
      async () => {
        const run: FirstRun = { status: "RESOLVED", result };
        if (commit === undefined) {
          this.#remember(result, await this.#store(this.#started(run)));
          return;
        }
        const end = await inTransaction(this.#db, async (trx) => {
          const modifiedAt = await storeFirstRun(trx, this.#started(run));
          const changed = await commit(trx);
          if (changed !== undefined) await replaceResult(trx, this.#pipeline.id, changed);
          return { modifiedAt, json: changed ?? result };
        });
        this.#remember(end.json, end.modifiedAt);
      },
    );
  }

  fail(code: string, message: string, commit?: CommitFailure): Promise<boolean> {
    return this.#end(
      () => this.#claimed.fail(code, message, commit),
      async () => {
        const started = this.#started({ status: "FAILED", code, message });
        if (commit === undefined) return await this.#store(started);
        return await inTransaction(this.#db, async (trx) => {
          await storeFirstRun(trx, started);
          await commit(trx);
        });
      },
    );
  }

  release(pauseMs: number, failed: boolean): Promise<boolean> {
    return this.#end(
      () => this.#claimed.release(pauseMs, failed),
      () => this.#store(this.#started({ status: "PROCESSING", worker: null, pauseMs, failed })),
    );
  }

  #end(update: () => Promise<boolean>, insert: () => Promise<unknown>): Promise<boolean> {
    return this.#inOrder(async () => {
      if (this.#isWritten) return await update();
      await insert();
      this.#isEnded = true;
      return true;
    });
  }

  #remember(resultJson: string, modifiedAt: Date): void {
    const { caller, id, kind, lane } = this.#pipeline;
    const { groupId, userId } = caller;
    const progress = this.#notes.progress === null ? null : JSON.parse(this.#notes.progress);
    this.#recent?.set(id, { kind, lane, userId, groupId, progress, resultJson, modifiedAt });
  }

  #started(run: FirstRun): StartedRun {
    return { pipeline: this.#pipeline, requestJson: this.#requestJson, run, notes: this.#notes };
  }

  /** Whether the row is there must not change while a write depends on it. */
  #inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#latest.then(work);
    this.#latest = result.catch(() => {});
    return result;
  }
}
