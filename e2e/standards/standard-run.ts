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

/** Runs what states its figures, or throws with the reason of its failure. */
export async function attempted(
  described: Pick<StandardRun, "client" | "ran">,
  run: () => Promise<string>,
): Promise<StandardRun> {
  try {
    return { ...described, outcome: "passed", result: await run() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stdout.write(`${described.client}, ${described.ran}: ${reason}\n`);
    return { ...described, outcome: "failed", result: reason.replaceAll(/[\s|]+/gu, " ").slice(0, 200) };
  }
}
