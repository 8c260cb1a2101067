import { ANALYSES_PAGE } from "@swath/contract/features/analyses/contract";
import { giveWay, isUsedUp, loopShare } from "@swath/base/concurrency/loop-share";
import type { Db } from "../../platform/context.ts";
import type { PathExpression } from "./path-expression.ts";
import type { Reader } from "./rights.ts";
import { scanAnalyses, type ScannedRow } from "./store.ts";

export interface ListQuery {
  readonly reader: Reader;
  readonly ownerId: string | null;
  readonly expression: PathExpression | null;
  readonly beforeSerial: number | null;
}

/** Analyses of a page, and the start of the next page. */
export interface ListPage {
  readonly serials: readonly number[];
  /** Null on the last page. */
  readonly nextSerial: number | null;
}

const SCAN_ROWS = 1_000;
const PAGE_BYTES = 10 * 1024 * 1024;
/** An expression that matches hardly anything ends its page here. */
const MAX_SCANNED = 10_000;
const MAX_SCAN_MS = 250;

/** Gives way to others between paths: an expression may take 2 ms for one. */
export async function listPage(db: Db, query: ListQuery, signal?: AbortSignal): Promise<ListPage> {
  const { reader, ownerId, expression } = query;
  const serials: number[] = [];
  const startedMs = performance.now();
  const share = loopShare();
  let { beforeSerial } = query;
  let scanned = 0;
  let bytes = 0;
  for (;;) {
    const rows: readonly ScannedRow[] = await scanAnalyses(db, { reader, ownerId, beforeSerial, limit: SCAN_ROWS });
    for (const { byteLength, path, serial } of rows) {
      if (isUsedUp(share)) await giveWay(share, signal);
      const isLate = scanned >= MAX_SCANNED || performance.now() - startedMs > MAX_SCAN_MS;
      if (isLate && scanned > 0) return { serials, nextSerial: beforeSerial };
      if (expression === null || expression(path)) {
        const isFull = serials.length === ANALYSES_PAGE || (serials.length > 0 && bytes + byteLength > PAGE_BYTES);
        if (isFull) return { serials, nextSerial: beforeSerial };
        serials.push(serial);
        bytes += byteLength;
      }
      beforeSerial = serial;
      scanned += 1;
    }
    if (rows.length < SCAN_ROWS) return { serials, nextSerial: null };
  }
}
