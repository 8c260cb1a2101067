import type { MicroCredits } from "@swath/kernel/credits/micro";

/** Sums of entries of the credit log, exact. */
export interface InvoiceSums {
  readonly entries: number;
  readonly areaM2: bigint;
  readonly micro: MicroCredits;
}

/** Sums of one subject; null where the log names none. */
export interface InvoiceLine extends InvoiceSums {
  readonly provider: string | null;
  readonly dataset: string | null;
  readonly mapType: string | null;
}

/** The log of a group over a calendar month in UTC. */
export interface Invoice {
  readonly month: string;
  readonly groupId: string;
  readonly groupName: string;
  /** Inclusive. */
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
  readonly isFinal: boolean;
  readonly lines: readonly InvoiceLine[];
  readonly total: InvoiceSums;
}

/** More than a catalogue has datasets; bounds answer, table and pages. */
const MAX_LINES = 1000;

/** First moment of a month, and of the next. @param month `YYYY-MM` */
export function monthPeriod(month: string): { readonly from: Date; readonly to: Date } {
  const from = new Date(`${month}-01T00:00:00Z`);
  const to = new Date(from);
  to.setUTCMonth(to.getUTCMonth() + 1);
  return { from, to };
}

export function sumOf(lines: readonly InvoiceSums[]): InvoiceSums {
  const sum = { entries: 0, areaM2: 0n, micro: 0n };
  for (const line of lines) {
    sum.entries += line.entries;
    sum.areaM2 += line.areaM2;
    sum.micro += line.micro;
  }
  return sum;
}

/**
 * Lines to bill, at most 1000: the last one sums all further ones and names no subject. Lines that sum to nothing are
 * left out, such as holds of a release that went back.
 */
export function linesToBill(all: readonly InvoiceLine[]): readonly InvoiceLine[] {
  const lines = all.filter(({ areaM2, micro }) => areaM2 !== 0n || micro !== 0n);
  if (lines.length <= MAX_LINES) return lines;
  const rest = sumOf(lines.slice(MAX_LINES - 1));
  return [...lines.slice(0, MAX_LINES - 1), { provider: null, dataset: null, mapType: null, ...rest }];
}
