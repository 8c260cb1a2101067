export interface ReadWindow {
  readonly column: number;
  readonly row: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** An open image of a bench: one array for each band, row by row. */
export interface RasterReader {
  read(window: ReadWindow): Promise<readonly ArrayLike<number>[]>;
  close(): Promise<void>;
}
