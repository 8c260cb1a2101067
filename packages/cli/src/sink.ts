/** Where text is written to: a stream of the process, or a recorder of a test. */
export interface Sink {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}
