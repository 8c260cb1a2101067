/** What a table shows of its rows, in pixels. */
export interface Scrolled {
  readonly topPx: number;
  readonly heightPx: number;
  readonly rowPx: number;
  readonly rowCount: number;
}

/** Rows above and below the seen ones, so that a scroll of one frame meets drawn rows. */
const OVERSCAN = 8;
/** The window moves in steps: most frames of a slow scroll draw nothing again. */
const STEP = 4;

/** Returns the positions of the rows to draw: from `first` to before `end`. Empty without rows. */
export function rowWindow({ topPx, heightPx, rowPx, rowCount }: Scrolled): {
  readonly first: number;
  readonly end: number;
} {
  const seenFirst = Math.floor(Math.max(0, topPx) / rowPx);
  const seenCount = Math.ceil(Math.max(0, heightPx) / rowPx) + 1;
  const end = Math.min(rowCount, Math.ceil((seenFirst + seenCount + OVERSCAN) / STEP) * STEP);
  const first = Math.min(end, Math.max(0, Math.floor((seenFirst - OVERSCAN) / STEP) * STEP));
  return { first, end };
}

/** Returns where to scroll so that a row is seen whole: the former position where it is already. */
export function scrolledTo({ topPx, heightPx, rowPx }: Omit<Scrolled, "rowCount">, position: number): number {
  const rowTopPx = position * rowPx;
  if (rowTopPx < topPx) return rowTopPx;
  return Math.max(topPx, rowTopPx + rowPx - heightPx);
}
