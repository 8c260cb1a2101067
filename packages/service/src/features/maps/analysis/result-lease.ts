import type { Db } from "../../../platform/context.ts";
import * as store from "./result-store.ts";

/** The work of a dead process is free again after this long. */
export const LEASE_MS = 30_000;
const RENEW_MS = 10_000;

/** The right of one owner to compute a result. */
export interface ResultLease extends Disposable {
  /** Aborts when another owner has taken the work over. */
  readonly lost: AbortSignal;
}

/** Renews the lease of a claimed result until it is disposed of. */
export function holdResult(db: Db, resultId: string, owner: string): ResultLease {
  const lost = new AbortController();
  const renewal = setInterval(() => {
    store.renewResult(db, resultId, owner, LEASE_MS).then(
      (kept) => {
        if (!kept) lost.abort(new Error(`the lease of the result ${resultId} was lost`));
      },
      // The database may be back before the lease ends.
      () => {},
    );
  }, RENEW_MS);
  return { lost: lost.signal, [Symbol.dispose]: () => clearInterval(renewal) };
}
