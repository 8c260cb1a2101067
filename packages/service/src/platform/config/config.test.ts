import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { ConfigError, parseConfig } from "./config.ts";
import { configurationDocument } from "./document.ts";
import { variables } from "./variables.ts";

test("without any setting there is a complete configuration", () => {
  const config = parseConfig({});
  assert.equal(config.dataFolder, resolve(".swath"));
  assert.deepEqual(config.roles, { api: true, worker: true });
  assert.deepEqual([config.http.host, config.http.port], ["127.0.0.1", 8080]);
  assert.deepEqual(config.http.rateLimits?.initiate, { perSecond: 200, burst: 1000 });
  assert.deepEqual(config.blobs, { kind: "fs", folder: resolve(".swath/blobs") });
  assert.equal(config.database.url, null);
  assert.equal(config.blockCacheBytes, 128 * 1024 * 1024);
});

test("headers and a small body have ten seconds each unless set, and a pause of a transfer one minute", () => {
  const { bodyMs, headersMs, stallMs } = parseConfig({}).http.traffic;
  assert.deepEqual({ bodyMs, headersMs, stallMs }, { bodyMs: 10_000, headersMs: 10_000, stallMs: 60_000 });
  assert.equal(parseConfig({ SWATH_BODY_SECONDS: "3" }).http.traffic.bodyMs, 3_000);
});

test("all faults are reported together", () => {
  const environment = {
    SWATH_PORT: "http",
    SWATH_ROLES: "worker",
    SWATH_BLOBS: "s3",
    SWATH_S3_ACCESS_KEY_ID: "key",
    SWATH_OIDC_ISSUER: "https://id.example.com/",
    SWATH_RATE_LIMIT: "maybe",
    SWATH_PUBLIC_URL: "swath.example.com",
    SWATH_MAPSVC_ALIAS: "a/b",
  };
  assert.throws(
    () => parseConfig(environment),
    (error) => {
      assert.ok(error instanceof ConfigError);
      const named = new Set(error.faults.map((fault) => fault.split(":")[0]));
      const expected = [
        "SWATH_MAPSVC_ALIAS",
        "SWATH_OIDC_AUDIENCE",
        "SWATH_PORT",
        "SWATH_PUBLIC_URL",
        "SWATH_RATE_LIMIT",
        "SWATH_ROLES",
        "SWATH_S3_ACCESS_KEY_ID and SWATH_S3_SECRET_ACCESS_KEY",
        "SWATH_S3_BUCKET",
      ];
      assert.deepEqual(named, new Set(expected));
      return true;
    },
  );
});

test("a fault does not repeat the password of a database address", () => {
  assert.throws(
    () => parseConfig({ DATABASE_URL: "mysql://me:secret@db/swath" }),
    (error) => error instanceof ConfigError && !error.message.includes("secret"),
  );
});

test("the environment goes before the file, and an empty variable counts as absent", () => {
  const folder = mkdtempSync(join(tmpdir(), "swath-config-"));
  try {
    const path = join(folder, "swath.json");
    writeFileSync(path, JSON.stringify({ SWATH_PORT: 9000, SWATH_RATE_LIMIT: false, SWATH_LOG_LEVEL: "warn" }));
    const config = parseConfig({ SWATH_CONFIG: path, SWATH_PORT: "9001", SWATH_LOG_LEVEL: "" });
    assert.deepEqual([config.http.port, config.http.rateLimits, config.logLevel], [9001, null, "warn"]);
    writeFileSync(path, JSON.stringify({ SWATH_PROT: 9000 }));
    assert.throws(() => parseConfig({ SWATH_CONFIG: path }), /there is no setting SWATH_PROT/u);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("lists and S3 settings are read", () => {
  const config = parseConfig({
    SWATH_CORS_ORIGINS: "https://a.example, https://b.example",
    SWATH_BLOBS: "s3",
    SWATH_S3_BUCKET: "imagery",
    SWATH_S3_PREFIX: "/swath/",
    SWATH_S3_ENDPOINT: "http://minio:9000/",
    SWATH_S3_PATH_STYLE: "on",
  });
  assert.deepEqual(config.http.corsOrigins, ["https://a.example", "https://b.example"]);
  assert.deepEqual(config.blobs, {
    kind: "s3",
    bucket: "imagery",
    keyPrefix: "swath",
    region: "us-east-1",
    endpoint: "http://minio:9000",
    pathStyle: true,
    credentials: null,
  });
});

test("the reference documents every variable once", () => {
  const document = configurationDocument();
  for (const { name } of Object.values(variables)) assert.equal(document.split(`| \`${name}\` |`).length, 2, name);
});

test("weights of tiers are read as pairs, and each wrong pair is a fault", () => {
  const { tierWeights } = parseConfig({ SWATH_TIER_WEIGHTS: "gold=4, silver = 1.5" }).queue;
  assert.deepEqual(
    [...tierWeights],
    [
      ["gold", 4],
      ["silver", 1.5],
    ],
  );
  assert.throws(
    () => parseConfig({ SWATH_TIER_WEIGHTS: "gold,silver=0,bronze=101,tin=1" }),
    (error) => error instanceof ConfigError && error.faults.length === 3,
  );
});

test("limits of callers and of their tiers are settings, with bursts of 200 initiates at least", () => {
  const config = parseConfig({
    SWATH_READS_PER_SECOND: "7",
    SWATH_INITIATE_BURST: "200",
    SWATH_TIER_LIMITS: "gold=4, trial=0.5",
  });
  assert.equal(config.http.rateLimits?.read.perSecond, 7);
  assert.equal(config.http.rateLimits?.initiate.burst, 200);
  assert.deepEqual(
    [...config.http.tierLimits],
    [
      ["gold", 4],
      ["trial", 0.5],
    ],
  );
  assert.throws(
    () => parseConfig({ SWATH_INITIATE_BURST: "199", SWATH_TIER_LIMITS: "gold", SWATH_TIER_WEIGHTS: "tin=0" }),
    (error) => {
      assert.ok(error instanceof ConfigError);
      const named = new Set(error.faults.map((fault) => fault.split(":")[0]));
      assert.deepEqual(named, new Set(["SWATH_INITIATE_BURST", "SWATH_TIER_LIMITS", "SWATH_TIER_WEIGHTS"]));
      return true;
    },
  );
});
