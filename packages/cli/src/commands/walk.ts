import { runSplit } from "@swath/client";
import type { CommandContext } from "../command-context.ts";
import { openDemoService } from "../demo-service.ts";
import { CommandError, UsageError } from "../exit-code.ts";
import { formatTable } from "../output.ts";
import { parsePlace } from "../place.ts";
import { listDatasets } from "../list-datasets.ts";
import { SPECIFIED_DATASETS } from "../walk/specified-datasets.ts";
import { WALK_STEPS, walkDataset, type WalkedDataset } from "../walk/walk-dataset.ts";

export interface WalkOptions {
  readonly place: string;
  /** Names of datasets, or all. */
  readonly dataset?: readonly string[];
}

/** Datasets walked at once: their pixels are drawn or fetched by the same workers. */
const CONCURRENCY = 3;

/**
 * `swath walk`: tries everything that can be done with the imagery of every dataset of the specification.
 *
 * @throws {CommandError} when any step of any dataset failed
 */
export async function walk(context: CommandContext, options: WalkOptions): Promise<void> {
  const { output, signal } = context;
  const place = parsePlace(options.place);
  const wanted = SPECIFIED_DATASETS.filter(({ dataset }) => options.dataset?.includes(dataset) !== false);
  if (wanted.length === 0) throw new UsageError(`--dataset names none of the ${SPECIFIED_DATASETS.length} datasets`);
  await using resources = new AsyncDisposableStack();
  const [client, what] = await openDemoService(context, resources);
  output.note(`service ${what}`);
  const listings = await listDatasets(client, signal);
  const progress = output.progress("walk", wanted.length);
  const walked = await runSplit(
    wanted,
    async (specified, stopped) => {
      const done = await walkDataset(client, specified, listings, place, stopped);
      output.note(`${done.provider} ${done.dataset}: ${summary(done)}, ${done.seconds.toFixed(1)} s`);
      return done;
    },
    { concurrency: CONCURRENCY, signal, onProgress: ({ doneParts }) => progress.update(doneParts) },
  ).finally(() => progress.stop());

  const outcomes = walked.flatMap(({ steps }) => WALK_STEPS.map((step) => steps[step]));
  const passed = outcomes.filter((one) => one.passed).length;
  const failed = outcomes.length - passed;
  const faults = walked.flatMap((one) =>
    WALK_STEPS.filter((step) => !one.steps[step].passed).map(
      (step) => `${one.provider} ${one.dataset}, ${step}: ${one.steps[step].what}`,
    ),
  );
  output.result({ passed, failed, datasets: walked }, [
    ...formatTable([
      ["provider", "dataset", ...WALK_STEPS, "time"],
      ...walked.map((one) => [
        one.provider,
        one.dataset,
        ...WALK_STEPS.map((step) => (one.steps[step].passed ? one.steps[step].what : "FAILED")),
        `${one.seconds.toFixed(1)} s`,
      ]),
    ]),
    ...(faults.length === 0 ? [] : ["", ...faults]),
    "",
    `walk ${passed} passed, ${failed} failed`,
  ]);
  if (failed > 0) throw new CommandError(`${failed} of ${outcomes.length} steps failed`);
}

function summary({ steps }: WalkedDataset): string {
  const failed = WALK_STEPS.filter((step) => !steps[step].passed);
  return failed.length === 0 ? "passed" : `failed ${failed.join(", ")}`;
}
