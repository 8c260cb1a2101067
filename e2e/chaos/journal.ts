import type { Answer } from "../raw-client.ts";

/** Why a run is not clean. */
export type FaultKind = "lost" | "double" | "failed";

export interface Fault {
  readonly kind: FaultKind;
  readonly message: string;
}

/** A pipeline whose initiation was answered with 200. */
export interface Accepted {
  readonly work: string;
  readonly path: string;
  readonly pipelineId: string;
  /** The answer of its retrieval after its end; null before. */
  outcome: string | null;
  readonly acceptedAtMs: number;
  /** Time from the acceptance to the answer with the outcome. */
  tookMs: number;
}

/** A request that costs credit, with its cost once the answer has arrived. */
export interface Charge {
  readonly request: { readonly idempotencyKey: string };
  cost: number | null;
}

/** The deeds of all clients, and the faults that they met. */
export interface Journal {
  readonly accepted: Accepted[];
  readonly charges: Charge[];
  readonly faults: Fault[];
  /** The outcome of each repeated question on the quiet service. */
  readonly references: Map<string, string>;
  /** How many clients are in each phase now. */
  readonly phases: Map<string, number>;
}

export function newJournal(): Journal {
  return { accepted: [], charges: [], faults: [], references: new Map(), phases: new Map() };
}

/** Status and body without the members that differ from one pipeline to the next. */
export function outcomeOf({ status, body }: Answer, ignored: readonly string[] = []): string {
  const skipped = new Set(ignored);
  return JSON.stringify([status, body], (name, value: unknown) => (skipped.has(name) ? undefined : value));
}

/** Records the first answer to a question, and a fault when a later one differs. */
export function compareWithReference(journal: Journal, question: string, outcome: string): void {
  const reference = journal.references.get(question);
  if (reference === undefined) journal.references.set(question, outcome);
  else if (reference !== outcome) {
    const message = `${question}: ${outcome.slice(0, 600)} instead of ${reference.slice(0, 600)}`;
    journal.faults.push({ kind: "failed", message });
  }
}
