import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { startService } from "../main.ts";
import { freePort } from "@swath/base/processes/free-port";
import { testDatabase } from "../platform/postgres/testing.ts";

const TOKEN = "a-token-of-the-scraper";
/** The grammar of a line of the text format, and the type of each family before its samples. */
const SAMPLE =
  /^([a-z_]+)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)+)\})? (?:\d+(?:\.\d+)?(?:e[+-]\d+)?|\+Inf|NaN)$/u;

/** The samples of an exposition by name and labels; fails where a line is none. */
function parse(text: string): ReadonlyMap<string, number> {
  assert.ok(text.endsWith("\n"));
  const types = new Map<string, string>();
  const samples = new Map<string, number>();
  for (const line of text.split("\n").slice(0, -1)) {
    const [, family, type] = /^# TYPE (\S+) (counter|gauge|histogram)$/u.exec(line) ?? [];
    if (family !== undefined && type !== undefined) {
      assert.ok(!types.has(family), `${family} comes twice`);
      types.set(family, type);
      continue;
    }
    if (line.startsWith("# HELP ")) continue;
    const [, name = "", labels = ""] = SAMPLE.exec(line) ?? [];
    assert.notEqual(name, "", `no sample: ${line}`);
    assert.ok(types.has(name) || types.get(name.replace(/_(?:bucket|sum|count)$/u, "")) === "histogram", line);
    const key = `${name}{${labels}}`;
    assert.ok(!samples.has(key), `${key} comes twice`);
    samples.set(key, Number(line.slice(line.lastIndexOf(" ") + 1).replace("+Inf", "Infinity")));
  }
  return samples;
}

async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "swath-metrics-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

test("a scrape with the token has requests, lanes, leases, caches, connections, disks and delays", async () => {
  await using database = await testDatabase();
  await using data = await temporaryFolder();
  await using service = await startService({
    settings: {
      DATABASE_URL: database.url,
      SWATH_DATA: data.path,
      SWATH_PORT: "0",
      SWATH_ROLES: "api",
      SWATH_METRICS_TOKEN: TOKEN,
      SWATH_LOG_LEVEL: "silent",
    },
  });
  // Waiting for an hour, running with a lease, and running with an ended one. No worker is there to take them.
  await sql`
    insert into pipelines (id, kind, status, request, caller, user_id, group_id, base_url, lane, share, worker,
      claimable_at, created_at, modified_at)
    select repeat('p', 19) || n, '/x', case when n = 1 then 'NEW' else 'PROCESSING' end, '{}', '{}', 'u', 'g', '', 'heavy', 'g u',
      case when n = 1 then null else 'w' end, now() + (n - 2) * interval '1 hour',
      now() - interval '1 hour', now()
    from unnest(array[1, 2, 3]) as n`.execute(database.db);
  await fetch(`${service.url}/no/such/address`);
  await fetch(`${service.url}/no/other/address`);
  await fetch(`${service.url}/user/info`, { method: "POST" });
  const answer = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  const samples = parse(await answer.text());
  const at = (key: string): number => samples.get(key) ?? assert.fail(`no ${key} in ${[...samples.keys()].join("\n")}`);
  assert.equal(at('swath_http_requests_total{operation="none",status="404"}'), 2);
  assert.equal(at('swath_http_requests_total{operation="/user/info",status="401"}'), 1);
  assert.equal(at('swath_http_request_duration_seconds_count{operation="/user/info"}'), 1);
  assert.equal(at('swath_pipelines_queued{lane="heavy"}'), 1);
  assert.equal(at('swath_pipelines_queued{lane="quick"}'), 0);
  assert.equal(at('swath_pipelines_queued{lane="parts"}'), 0);
  assert.equal(at('swath_pipelines_running{lane="heavy"}'), 1);
  assert.equal(at('swath_leases_ended{lane="heavy"}'), 1);
  const oldestS = at('swath_pipelines_oldest_seconds{lane="heavy"}');
  assert.ok(oldestS >= 3_600 && oldestS < 4_000, `got ${oldestS} s`);
  assert.equal(at("swath_database_up{}"), 1);
  assert.ok(at('swath_database_connections{state="idle"}') + at('swath_database_connections{state="used"}') > 0);
  assert.equal(at("swath_database_connections_max{}"), 16);
  assert.equal(at("swath_database_queries_waiting{}"), 0);
  assert.equal(at('swath_cache_entries{cache="grid files"}'), 0);
  assert.equal(at('swath_cache_hits_total{cache="users"}'), 0);
  assert.ok(at('swath_disk_free_bytes{disk="blobs"}') > 0);
  assert.ok(at('swath_disk_size_bytes{disk="data"}') >= at('swath_disk_free_bytes{disk="data"}'));
  assert.ok(at('swath_event_loop_delay_seconds{quantile="0.99"}') >= 0);
  assert.ok(at("process_resident_memory_bytes{}") > 10_000_000);
});

test("metrics need their token, and without a configured one the port of clients has none", async () => {
  await using database = await testDatabase();
  await using data = await temporaryFolder();
  const opsPort = await freePort();
  const settings = { DATABASE_URL: database.url, SWATH_DATA: data.path, SWATH_PORT: "0", SWATH_LOG_LEVEL: "silent" };
  {
    await using service = await startService({ settings: { ...settings, SWATH_METRICS_TOKEN: TOKEN } });
    const status = async (authorization?: string): Promise<number> =>
      (await fetch(`${service.url}/metrics`, authorization === undefined ? {} : { headers: { authorization } })).status;
    assert.equal(await status(), 401);
    assert.equal(await status("Bearer wrong"), 401);
    assert.equal(await status(`Bearer ${TOKEN}x`), 401);
    assert.equal(await status(`Bearer ${TOKEN}`), 200);
  }
  {
    await using service = await startService({ settings: { ...settings, SWATH_OPS_PORT: String(opsPort) } });
    assert.equal((await fetch(`${service.url}/metrics`)).status, 404);
    const open = await fetch(`http://127.0.0.1:${opsPort}/metrics`);
    assert.equal(open.status, 200);
    parse(await open.text());
  }
  {
    const beyond = { SWATH_OPS_PORT: String(opsPort), SWATH_OPS_HOST: "0.0.0.0" };
    await using service = await startService({ settings: { ...settings, ...beyond } });
    assert.notEqual(service.url, null);
    assert.equal((await fetch(`http://127.0.0.1:${opsPort}/metrics`)).status, 404);
    assert.equal((await fetch(`http://127.0.0.1:${opsPort}/health/ready`)).status, 200);
  }
});

test("a worker has metrics, and a database that is gone leaves the others", async () => {
  await using database = await testDatabase();
  await using data = await temporaryFolder();
  const port = await freePort();
  await using worker = await startService({
    settings: {
      DATABASE_URL: database.url,
      SWATH_DATA: data.path,
      SWATH_ROLES: "worker",
      SWATH_OPS_PORT: String(port),
      SWATH_LOG_LEVEL: "silent",
    },
  });
  assert.equal(worker.url, null);
  // The table as good as gone: every look at the queue fails.
  await sql`alter table pipelines rename to pipelines_aside`.execute(database.db);
  const samples = parse(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
  assert.equal(samples.get("swath_database_up{}"), 0);
  assert.equal(samples.get('swath_pipelines_queued{lane="heavy"}'), undefined);
  assert.ok((samples.get("process_cpu_seconds_total{}") ?? 0) > 0);
  await sql`alter table pipelines_aside rename to pipelines`.execute(database.db);
});
