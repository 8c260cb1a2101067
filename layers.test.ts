import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";

/**
 * What each folder may import: other folders by prefix, and packages by name (`node` is every Node module).
 * The first matching row decides; tests and conformance suites may import anything. See docs/architecture.md, "Layers".
 */
interface Layer {
  readonly name: string;
  readonly matches: RegExp;
  readonly folders: readonly string[];
  readonly packages: readonly string[];
  /** Folders and packages of which only types may be imported. */
  readonly typesOnly?: readonly string[];
}

const SERVICE = "packages/service/src";
const KERNEL = ["@swath/kernel"];
/** Folders under features, the HTTP layer and the worker. */
const FOUNDATION = [`${SERVICE}/platform/`, `${SERVICE}/error-`];

const LAYERS: readonly Layer[] = [
  {
    name: "kernel",
    matches: /^packages\/kernel\//,
    folders: ["packages/kernel/"],
    packages: ["polyclip-ts", "proj4", "robust-predicates", "satellite.js"],
  },
  {
    name: "base",
    matches: /^packages\/base\//,
    folders: ["packages/base/"],
    packages: [...KERNEL, "@aws-sdk/client-s3", "pino", "node"],
  },
  {
    name: "raster",
    matches: /^packages\/raster\//,
    folders: ["packages/raster/"],
    packages: [
      ...KERNEL,
      "@swath/base",
      "@napi-rs/image",
      "fast-xml-parser",
      "geotiff-geokeys-to-proj4",
      "lerc",
      "lru-cache",
      "sharp",
      "yauzl",
      "yazl",
      "node",
    ],
  },
  {
    name: "map types",
    matches: /^packages\/maps\/src\/(types|planning|analysis)\//,
    folders: ["types/", "planning/", "analysis/", "models/", "map-type.ts"].map((path) => `packages/maps/src/${path}`),
    packages: KERNEL,
  },
  {
    name: "map engine",
    matches: /^packages\/maps\//,
    folders: ["packages/maps/"],
    packages: [...KERNEL, "@swath/base", "@swath/raster", "topojson-client", "world-atlas", "node"],
    typesOnly: ["topojson-specification"],
  },
  {
    name: "simulator",
    matches: /^packages\/simulator\//,
    folders: ["packages/simulator/"],
    packages: [...KERNEL, "@swath/base", "@swath/raster", "lru-cache", "node"],
  },
  {
    name: "contract",
    matches: /^packages\/contract\//,
    folders: ["packages/contract/"],
    packages: [...KERNEL, "typebox"],
  },
  {
    name: "errors",
    matches: /^packages\/service\/src\/error-(?:status|with-headers)\.ts$/,
    folders: [],
    packages: KERNEL,
  },
  {
    name: "providers",
    matches: /^packages\/service\/src\/providers\//,
    folders: [`${SERVICE}/providers/`],
    packages: KERNEL,
  },
  {
    name: "simulator as a source",
    matches: /^packages\/service\/src\/sources\/simulator\//,
    folders: [`${SERVICE}/sources/`, `${SERVICE}/providers/`],
    packages: [...KERNEL, "@swath/base", "@swath/simulator"],
  },
  {
    name: "sources",
    matches: /^packages\/service\/src\/sources\//,
    folders: [`${SERVICE}/sources/`, `${SERVICE}/providers/`, ...FOUNDATION],
    packages: [
      ...KERNEL,
      "@swath/base",
      "@swath/raster",
      "@swath/contract",
      "typebox",
      "ajv",
      "kysely",
      "lru-cache",
      "node",
    ],
  },
  {
    name: "tasking providers",
    matches: /^packages\/service\/src\/tasking-providers\//,
    folders: [`${SERVICE}/tasking-providers/`, `${SERVICE}/sources/`, `${SERVICE}/providers/`, ...FOUNDATION],
    packages: [
      ...KERNEL,
      "@swath/base",
      "@swath/raster",
      "@swath/simulator",
      "@swath/contract",
      "typebox",
      "ajv",
      "kysely",
      "lru-cache",
      "node",
    ],
  },
  {
    name: "platform",
    matches: /^packages\/service\/src\/platform\//,
    folders: [...FOUNDATION, "packages/service/migrations/"],
    packages: ["*"],
  },
  {
    name: "migrations",
    matches: /^packages\/service\/migrations\//,
    folders: ["packages/service/migrations/"],
    packages: ["kysely", "node"],
  },
  {
    name: "feature kit",
    matches: /^packages\/service\/src\/feature-kit\//,
    folders: [
      `${SERVICE}/feature-kit/`,
      `${SERVICE}/providers/`,
      `${SERVICE}/sources/`,
      `${SERVICE}/tasking-providers/`,
      ...FOUNDATION,
    ],
    packages: [...KERNEL, "@swath/base", "@swath/contract"],
    typesOnly: ["@swath/maps"],
  },
  {
    name: "features",
    matches: /^packages\/service\/src\/features\//,
    folders: [
      `${SERVICE}/features/`,
      `${SERVICE}/feature-kit/`,
      `${SERVICE}/providers/`,
      `${SERVICE}/sources/`,
      `${SERVICE}/tasking-providers/`,
      ...FOUNDATION,
    ],
    packages: [
      ...KERNEL,
      "@swath/base",
      "@swath/raster",
      "@swath/maps",
      "@swath/contract",
      "canonicalize",
      "kysely",
      "typebox",
      "csv-stringify",
      "hyparquet-writer",
      "jose",
      "lru-cache",
      "re2js",
      "node:crypto",
      "node:stream",
    ],
  },
  {
    name: "http",
    matches: /^packages\/service\/src\/http\//,
    folders: [`${SERVICE}/http/`, ...FOUNDATION],
    packages: [
      ...KERNEL,
      "@swath/base",
      "@swath/contract",
      "fastify",
      "@fastify/compress",
      "@fastify/cors",
      "typebox",
      "ajv",
      "kysely",
      "pino",
      "lru-cache",
      "node",
    ],
  },
  {
    name: "worker",
    matches: /^packages\/service\/src\/worker\//,
    folders: [`${SERVICE}/worker/`, ...FOUNDATION],
    packages: [...KERNEL, "@swath/base", "@swath/contract", "kysely", "node"],
  },
  {
    name: "composition",
    matches: /^packages\/service\/src\/[^/]+\.ts$/,
    folders: ["packages/service/"],
    packages: ["*"],
  },
  {
    name: "client",
    matches: /^packages\/client\//,
    folders: ["packages/client/"],
    packages: [],
    typesOnly: ["@swath/contract", "typebox"],
  },
  {
    name: "cli",
    matches: /^packages\/cli\//,
    folders: ["packages/cli/"],
    packages: [
      ...KERNEL,
      "@swath/client",
      "@swath/maps",
      "@swath/raster",
      "@swath/service",
      "@swath/simulator",
      "@napi-rs/image",
      "cli-progress",
      "commander",
      "hyparquet",
      "openid-client",
      "sharp",
      "node",
    ],
  },
  {
    name: "map of the console",
    matches: /^packages\/web\/src\/map\//,
    folders: ["packages/web/"],
    packages: [...KERNEL, "ol", "preact", "@preact/signals"],
  },
  {
    name: "web",
    matches: /^packages\/web\//,
    folders: ["packages/web/"],
    packages: [...KERNEL, "@swath/client", "preact", "@preact/signals", "fflate", "pmtiles", "shapefile", "uplot"],
  },
];

/** Edges between features: `feature.ts` names them as needs, other files import types and pure data along them. */
const FEATURE_EDGES: Readonly<Record<string, readonly string[]>> = {
  analyses: ["geojson", "imagery", "ingestion", "maps"],
  "api-keys": ["audit", "users"],
  assets: ["credits", "imagery"],
  audit: [],
  baselines: ["imagery"],
  credits: ["audit", "imagery", "users"],
  datacube: [],
  events: [],
  export: ["credits", "imagery", "ingestion"],
  "feature-store": [],
  geojson: [],
  imagery: [],
  ingestion: ["audit", "baselines", "imagery"],
  maps: ["credits", "datacube", "imagery", "ingestion", "users"],
  mfa: ["users"],
  monitors: ["datacube", "imagery", "maps", "standing-queries"],
  pipelines: [],
  sessions: ["audit", "users"],
  stac: ["assets", "credits", "imagery", "ingestion", "maps"],
  stapi: ["stac", "tasking"],
  "standing-queries": ["imagery"],
  tasking: ["audit", "credits", "imagery", "ingestion", "users"],
  users: ["audit"],
  weather: ["credits"],
  webhooks: ["audit", "events"],
};

/** Map types that build on another: by folder of packages/maps/src/types/. */
const MAP_TYPE_EDGES: Readonly<Record<string, readonly string[]>> = {
  boats: ["ships"],
  "burned-pair": ["burned"],
  "change-series": ["change"],
  "nightlight-change": ["nightlight"],
  "precipitation-sum": ["precipitation"],
  "ships-series": ["ships"],
  wrun: ["wrunc"],
  "wrunc-change": ["change", "wrunc"],
};

const IMPORT =
  /^\s*(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/gm;

interface Import {
  readonly target: string;
  readonly typeOnly: boolean;
}

function importsOf(file: string): readonly Import[] {
  return [...readFileSync(file, "utf8").matchAll(IMPORT)].map((match) => {
    const specifier = match[2] ?? match[3] ?? "";
    const target = specifier.startsWith(".") ? normalize(join(dirname(file), specifier)) : specifier;
    return { target, typeOnly: match[1] !== undefined };
  });
}

function packageOf(specifier: string): string {
  if (specifier.startsWith("node:") || builtinModules.includes(specifier)) return "node";
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

function isAllowed(layer: Layer, { target, typeOnly }: Import): boolean {
  if (target.startsWith("packages/")) return layer.folders.some((folder) => target.startsWith(folder));
  const name = packageOf(target);
  if (layer.packages.includes("*") || layer.packages.includes(name) || layer.packages.includes(target)) return true;
  return typeOnly && (layer.typesOnly ?? []).includes(name);
}

const sources = globSync("packages/*/{src,migrations}/**/*.{ts,tsx}").filter(
  (file) => !/\.(?:test|conformance|fixture)\.ts$|\/assembly\/|(?:^|[-/])testing\.ts$|\/testing\//.test(file),
);

test("every source file belongs to a layer", () => {
  assert.ok(sources.length > 20, `only ${sources.length} sources found`);
  assert.deepEqual(
    sources.filter((file) => !LAYERS.some((layer) => layer.matches.test(file))),
    [],
  );
});

test("imports only point down the layers", () => {
  const faults = sources.flatMap((file) => {
    const layer = LAYERS.find((candidate) => candidate.matches.test(file));
    if (layer === undefined) return [];
    return importsOf(file)
      .filter((one) => !isAllowed(layer, one))
      .map((one) => `${file} (${layer.name}) imports ${one.target}`);
  });
  assert.deepEqual(faults, []);
});

function featureOf(path: string): string | undefined {
  return /features\/([^/]+)\//.exec(path)?.[1];
}

test("a feature imports another only along a listed edge, its service as a type, its definition to need it", () => {
  const faults = sources.flatMap((file) => {
    const from = featureOf(file);
    if (from === undefined) return [];
    return importsOf(file).flatMap(({ target, typeOnly }) => {
      const to = featureOf(target);
      if (to === undefined || to === from) return [];
      const listed = FEATURE_EDGES[from]?.includes(to) ?? false;
      const store = target.endsWith("/store.ts");
      const value = !typeOnly && target.endsWith("/service.ts");
      const need = target.endsWith("/feature.ts") && !file.endsWith("/feature.ts");
      return listed && !store && !value && !need ? [] : [`${file} imports ${target}`];
    });
  });
  assert.deepEqual(faults, []);
});

/** Makes the map type of any formula: every type may use it. */
const FORMULA_FAMILY = "spectral-index";

function mapTypeOf(path: string): string | undefined {
  return /(?:packages\/maps\/src|@swath\/maps)\/types\/([^/]+)\//.exec(path)?.[1];
}

test("a map type is imported by the registry, and by other types along a listed edge", () => {
  const used = new Set<string>();
  const faults = sources.flatMap((file) => {
    if (file === "packages/maps/src/registry.ts") return [];
    const from = mapTypeOf(file);
    return importsOf(file).flatMap(({ target }) => {
      const to = mapTypeOf(target);
      if (to === undefined || to === from || (from !== undefined && to === FORMULA_FAMILY)) return [];
      used.add(`${from}>${to}`);
      return from !== undefined && MAP_TYPE_EDGES[from]?.includes(to) ? [] : [`${file} imports ${target}`];
    });
  });
  assert.deepEqual(faults, []);
  const listed = Object.entries(MAP_TYPE_EDGES).flatMap(([from, targets]) => targets.map((to) => `${from}>${to}`));
  assert.deepEqual(
    listed.filter((edge) => !used.has(edge)),
    [],
    "listed, and not used",
  );
});

test("only the configuration reads the environment and only the clock reads the time", () => {
  const faults = sources.flatMap((file) => {
    const text = readFileSync(file, "utf8");
    const inService = !/^packages\/(?:client|cli|web)\//.test(file);
    const readsEnvironment =
      /\bprocess\.env\b/.test(text) && !/platform\/config\/|base\/src\/sample-data\.ts/.test(file);
    const readsTime = /\bDate\.now\(\)|\bnew Date\(\)/.test(text) && !file.endsWith("base/src/clock.ts");
    return inService && (readsEnvironment || readsTime) ? [file] : [];
  });
  assert.deepEqual(faults, []);
});
