/** The outcome of one suite or client. */
export interface StandardRun {
  /** The suite or client with its version. */
  readonly client: string;
  readonly ran: string;
  readonly outcome: "failed" | "not installed" | "passed";
  /** Figures of the run, or the reason for its outcome. */
  readonly result: string;
}

/** The runs as a table of Markdown. */
export function tableOf(runs: readonly StandardRun[]): string {
  const rows = runs.map(({ client, outcome, ran, result }) => `| ${client} | ${ran} | ${outcome} | ${result} |`);
  return ["| Suite or client | Run | Outcome | Result |", "| --- | --- | --- | --- |", ...rows, ""].join("\n");
}
