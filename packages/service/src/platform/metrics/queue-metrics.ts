import { sql } from "kysely";
import { within } from "@swath/base/concurrency/within";
import type { Db } from "../context.ts";
import { single, type MetricFamily } from "./exposition.ts";

interface LaneCounts {
  readonly lane: string;
  readonly queued: number;
  readonly running: number;
  readonly ended: number;
  readonly oldestS: number;
}

interface Look {
  readonly atMs: number;
  readonly counts: Promise<readonly LaneCounts[]>;
  hasEnded: boolean;
}

/** A look at the queue is that old at most, however many ask. */
const LOOK_EVERY_MS = 5_000;
/** A scrape waits no longer for a database that does not answer. */
const ANSWER_WITHIN_MS = 3_000;

/** The queue in the database, the same for all processes of it. Pipelines that have ended are not read. */
export class QueueMetrics {
  readonly #db: Db;
  readonly #lanes: readonly string[];
  #latest: Look | null = null;

  constructor(db: Db, lanes: readonly string[]) {
    this.#db = db;
    this.#lanes = lanes;
  }

  /** Without the lanes, and `swath_database_up` 0, while the database does not answer. */
  async families(): Promise<readonly MetricFamily[]> {
    const { counts } = this.#look();
    const isUp = await within(counts, ANSWER_WITHIN_MS).catch(() => false);
    const up = single(
      "gauge",
      "swath_database_up",
      "Whether the database answered this look at the queue.",
      isUp ? 1 : 0,
    );
    return isUp ? [up, ...laneFamilies(await counts)] : [up];
  }

  /** One query at a time: scrapes of a database that hangs take one of its connections. */
  #look(): Look {
    const nowMs = performance.now();
    const latest = this.#latest;
    if (latest !== null && (!latest.hasEnded || nowMs - latest.atMs < LOOK_EVERY_MS)) return latest;
    const look: Look = { atMs: nowMs, counts: countLanes(this.#db, this.#lanes), hasEnded: false };
    const end = (): void => {
      look.hasEnded = true;
    };
    look.counts.then(end, end);
    this.#latest = look;
    return look;
  }
}

function laneFamilies(lanes: readonly LaneCounts[]): readonly MetricFamily[] {
  const family = (name: string, help: string, value: (lane: LaneCounts) => number): MetricFamily => ({
    name,
    help,
    type: "gauge",
    samples: lanes.map((lane) => ({ labels: { lane: lane.lane }, value: value(lane) })),
  });
  return [
    family("swath_pipelines_queued", "Pipelines that wait for a place, by lane.", ({ queued }) => queued),
    family("swath_pipelines_running", "Pipelines with a lease, by lane.", ({ running }) => running),
    family(
      "swath_pipelines_oldest_seconds",
      "Age of the oldest pipeline that waits, by lane.",
      ({ oldestS }) => oldestS,
    ),
    family(
      "swath_leases_ended",
      "Pipelines whose lease has ended without an answer of their worker, by lane. They run again.",
      ({ ended }) => ended,
    ),
  ];
}

/** Every lane, also one without pipelines: an alert needs its zero. */
async function countLanes(db: Db, lanes: readonly string[]): Promise<readonly LaneCounts[]> {
  const { rows } = await sql<LaneCounts>`
    select
      l.lane,
      count(p.id) filter (where p.worker is null)::int as queued,
      count(p.id) filter (where p.worker is not null and p.claimable_at > now())::int as running,
      count(p.id) filter (where p.worker is not null and p.claimable_at <= now())::int as ended,
      coalesce(extract(epoch from now() - min(p.created_at) filter (where p.worker is null)), 0)::float8 as "oldestS"
    from unnest(${[...lanes]}::text[]) as l (lane)
    left join pipelines p on p.lane = l.lane and p.status in ('NEW', 'PROCESSING')
    group by l.lane
    order by l.lane`.execute(db);
  return rows;
}
