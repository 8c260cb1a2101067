import type { Journal } from "./journal.ts";
import { shuffled } from "./shuffled.ts";
import type { StubbornClient } from "./stubborn-client.ts";
import type { Work, World } from "./work.ts";
import { seededRandom } from "../../bench/statistics.ts";

export interface LoadInput {
  readonly client: StubbornClient;
  readonly world: World;
  readonly works: readonly Work[];
  readonly clients: number;
  readonly seed: number;
  /** Aborts when no client begins further work. */
  readonly stopping: AbortSignal;
}

/** Runs all works once, one after the other: their answers are the references of the run. */
export async function quietRound({
  client,
  seed,
  works,
  world,
}: Omit<LoadInput, "clients" | "stopping">): Promise<void> {
  for (const work of works) await work.run({ client, world, key: `quiet ${work.name}`, random: seededRandom(seed) });
}

/** Clients that work until the signal aborts; resolves when the last one has ended its work. */
export async function runLoad(input: LoadInput): Promise<void> {
  const clients = Array.from({ length: input.clients }, (_, number) => runClient(input, number));
  await Promise.all(clients);
}

async function runClient({ client, seed, stopping, works, world }: LoadInput, number: number): Promise<void> {
  const random = seededRandom(seed + number + 1);
  for (let round = 0; !stopping.aborted; round += 1) {
    for (const work of shuffled(works, random)) {
      if (stopping.aborted) return;
      // Numbers for one work: how many of them it takes does not change the following ones.
      const ownRandom = seededRandom(Math.floor(random() * 2 ** 32));
      const key = `seed ${seed} client ${number} round ${round} ${work.name}`;
      try {
        await work.run({ client, world, key, random: ownRandom });
      } catch (error) {
        addFault(client.journal, `${key}: ${error instanceof Error ? error.message : String(error)}`);
        if (error instanceof Error && error.name === "AbortError") return;
      }
    }
  }
}

function addFault(journal: Journal, message: string): void {
  journal.faults.push({ kind: "failed", message });
}
