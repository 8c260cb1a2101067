import type { Clock } from "@swath/base/clock";
import type { Log } from "@swath/base/log/log";
import type { Db } from "../../platform/context.ts";
import { crawlCatalogue, type CrawlReport, type CrawlScope } from "./crawl.ts";
import * as store from "./store.ts";

/** The index of one dataset in the database. */
export interface IndexScope extends Omit<CrawlScope, "index"> {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** Digest of the settings; an index of other settings is none. */
  readonly settings: string;
  readonly refreshMs: number;
}

/** A process that dies leaves its claim for so long. */
const CLAIM_MS = 180_000;
const RENEW_MS = 60_000;
/** After a crawl that failed, unless the catalogue is read more often anyway. */
const RETRY_MS = 600_000;
const BATCH = 1000;
/** Crawls that a document may be missing from while others fail. */
const PATIENCE = 5;

/** The crawl of the dataset with these settings; null before the first. */
export async function currentCrawl(scope: IndexScope): Promise<store.CrawlRow | null> {
  const { provider, dataset } = scope.dataset;
  const row = await store.readCrawl(scope.db, provider, dataset);
  return row?.settings === scope.settings ? row : null;
}

/** Crawls the catalogue when that is due and no other process does; an index of other settings begins anew. */
export async function refreshIndex(scope: IndexScope, signal: AbortSignal): Promise<void> {
  const { clock, db, settings } = scope;
  const { provider, dataset } = scope.dataset;
  const present = await store.readCrawl(db, provider, dataset);
  if (present !== null && present.settings !== settings) await store.deleteCrawl(db, present.crawl_key, settings);
  await store.insertCrawl(db, { provider, dataset, settings, now: clock.now() });
  const row = await currentCrawl(scope);
  if (row === null) return;
  const crawl = await store.claimCrawl(db, row.crawl_key, clock.now(), claimEnd(clock));
  if (crawl !== null) await claimed(scope, row.crawl_key, crawl, signal);
}

function claimEnd(clock: Clock): Date {
  return new Date(clock.now().getTime() + CLAIM_MS);
}

async function claimed(scope: IndexScope, crawlKey: number, crawl: number, signal: AbortSignal): Promise<void> {
  const { clock, db, log, name, refreshMs } = scope;
  const lost = new AbortController();
  const renewing = setInterval(() => {
    store.renewClaim(db, crawlKey, crawl, claimEnd(clock)).then(
      (isOurs) => {
        if (!isOurs) lost.abort(new Error("another process crawls the catalogue"));
      },
      (error: unknown) => log.warn({ err: error, catalogue: name }, "the claim of a crawl was not renewed"),
    );
  }, RENEW_MS);
  const now = clock.now();
  const end = (afterMs: number, fault: string | null): Promise<void> =>
    store.endCrawl(db, { crawlKey, crawl, now, dueAt: new Date(clock.now().getTime() + afterMs), fault });
  try {
    const index = {
      known: (urls: readonly string[]) => store.readKnown(db, crawlKey, urls),
      touch: (urls: readonly string[]) => store.touchDocuments(db, crawlKey, crawl, urls),
      write: async (row: store.ReadRow) => {
        await store.writeDocument(db, crawlKey, crawl, row);
        if (row.scene === null) await store.deleteItem(db, crawlKey, row.url);
        else await store.writeItem(db, crawlKey, row.url, row.scene);
      },
    };
    const report = await crawlCatalogue({ ...scope, index }, AbortSignal.any([signal, lost.signal]));
    await dropStale(scope, crawlKey, crawl, report);
    await end(refreshMs, null);
    tell(scope, report);
  } catch (error) {
    // A process that stops leaves the crawl due.
    if (signal.aborted) await store.releaseClaim(db, crawlKey, crawl);
    else if (!lost.signal.aborted) {
      const fault = error instanceof Error ? error.message : String(error);
      await end(Math.min(RETRY_MS, refreshMs), fault);
      log.warn({ catalogue: name, fault }, "a static catalogue could not be read; the index stays as it was");
    }
  } finally {
    clearInterval(renewing);
  }
}

/**
 * Removes documents that the crawl did not meet. A crawl that could not read everything removes documents that five
 * crawls did not meet, and as many as the bounds demand: a host that is down for an hour must not empty the index.
 */
async function dropStale(scope: IndexScope, crawlKey: number, crawl: number, report: CrawlReport): Promise<void> {
  const isWhole = report.failed === 0 && !report.reached.includes("time") && !report.reached.includes("bytes");
  await drop(scope.db, crawlKey, isWhole ? crawl : crawl - PATIENCE, Number.POSITIVE_INFINITY);
  const documents = await store.countDocuments(scope.db, crawlKey);
  await drop(scope.db, crawlKey, crawl, documents - scope.limits.documents);
}

/** Removes documents that were met before a crawl, the oldest first, in short statements. */
async function drop(db: Db, crawlKey: number, beforeCrawl: number, most: number): Promise<void> {
  for (let left = most; left > 0; left -= BATCH) {
    const deleted = await store.deleteOlder(db, crawlKey, beforeCrawl, Math.min(BATCH, left));
    if (deleted < BATCH) return;
  }
}

function tell({ log, name, dataset }: IndexScope, report: CrawlReport): void {
  const isBounded = report.reached.length > 0 || report.failed > 0 || report.refused > 0;
  const fields = { catalogue: name, provider: dataset.provider, dataset: dataset.dataset, ...report };
  if (isBounded) log.warn(fields, "a static catalogue was read in part");
  else log.info(fields, "a static catalogue was read");
}
