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

const LAYERS: readonly Layer[] = [
  {
    name: "kernel",
    matches: /^packages\/kernel\//,
    folders: ["packages/kernel/"],
    packages: ["polyclip-ts", "polygon-clipping", "proj4", "satellite.js"],
  },
  {
    name: "contract kit and contracts",
    matches: /^packages\/service\/src\/(contract-kit\/|contract\.ts|features\/.+\/(?:[^/]+-)?contract\.ts)/,
    folders: [
      `${SERVICE}/contract-kit/`,
      `${SERVICE}/error-`,
      `${SERVICE}/features/`,
      `${SERVICE}/map-types/`,
      `${SERVICE}/providers/`,
    ],
    packages: [...KERNEL, "typebox"],
  },
  {
    name: "errors",
    matches: /^packages\/service\/src\/error-(?:status|with-headers)\.ts$/,
    folders: [],
    packages: KERNEL,
  },
  {
    name: "map types",
    matches: /^packages\/service\/src\/map-types\//,
    folders: [`${SERVICE}/map-types/`],
    packages: KERNEL,
  },
  {
    name: "providers",
    matches: /^packages\/service\/src\/providers\//,
    folders: [`${SERVICE}/providers/`, `${SERVICE}/contract-kit/`, `${SERVICE}/error-`],
    packages: [...KERNEL, "node"],
  },
  {
    name: "sources",
    matches: /^packages\/service\/src\/sources\//,
    folders: [
      `${SERVICE}/sources/`,
      `${SERVICE}/providers/`,
      `${SERVICE}/platform/`,
      `${SERVICE}/contract-kit/`,
      `${SERVICE}/error-`,
    ],
    packages: [...KERNEL, "typebox", "ajv", "lru-cache", "node"],
  },
  {
    name: "platform",
    matches: /^packages\/service\/src\/platform\//,
    folders: [
      `${SERVICE}/platform/`,
      `${SERVICE}/contract-kit/`,
      `${SERVICE}/error-`,
      `${SERVICE}/map-types/`,
      "packages/service/migrations/",
    ],
    packages: ["*"],
  },
  {
    name: "migrations",
    matches: /^packages\/service\/migrations\//,
    folders: ["packages/service/migrations/"],
    packages: ["kysely"],
  },
  {
    name: "features",
    matches: /^packages\/service\/src\/features\//,
    folders: [
      `${SERVICE}/features/`,
      `${SERVICE}/providers/`,
      `${SERVICE}/sources/`,
      `${SERVICE}/map-types/`,
      `${SERVICE}/platform/`,
      `${SERVICE}/contract-kit/`,
      `${SERVICE}/error-`,
    ],
    packages: [
      ...KERNEL,
      "canonicalize",
      "kysely",
      "typebox",
      "csv-stringify",
      "jose",
      "lru-cache",
      "node:crypto",
      "node:stream",
    ],
  },
  {
    name: "http",
    matches: /^packages\/service\/src\/http\//,
    folders: [`${SERVICE}/http/`, `${SERVICE}/platform/`, `${SERVICE}/contract-kit/`, `${SERVICE}/error-`],
    packages: [
      ...KERNEL,
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
    folders: [`${SERVICE}/worker/`, `${SERVICE}/platform/`, `${SERVICE}/contract-kit/`, `${SERVICE}/error-`],
    packages: [...KERNEL, "kysely", "node"],
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
    typesOnly: ["@swath/service", "typebox"],
  },
  {
    name: "cli",
    matches: /^packages\/cli\//,
    folders: ["packages/cli/"],
    packages: [...KERNEL, "@swath/client", "@swath/service", "@napi-rs/image", "cli-progress", "commander", "node"],
  },
  { name: "web", matches: /^packages\/web\//, folders: ["packages/web/"], packages: [...KERNEL, "@swath/client"] },
];

/** Edges between features, beyond a feature's own folder. Values only where a contract or pure data is shared. */
const FEATURE_EDGES: Readonly<Record<string, readonly string[]>> = {
  "api-keys": ["audit"],
  audit: [],
  baselines: ["imagery"],
  credits: ["audit", "imagery"],
  export: ["credits", "imagery", "ingestion"],
  "feature-store": [],
  geojson: [],
  imagery: [],
  ingestion: ["credits", "imagery", "pipelines"],
  maps: ["credits", "imagery", "ingestion", "users"],
  mfa: [],
  pipelines: [],
  users: ["audit"],
  weather: ["credits"],
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

const sources = globSync("packages/*/{src,migrations}/**/*.ts").filter(
  (file) => !/\.(?:test|conformance)\.ts$|\/assembly\/|(?:^|[-/])testing\.ts$|\/testing\//.test(file),
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

test("a feature imports another feature only along a listed edge, and its service only as a type", () => {
  const faults = sources.flatMap((file) => {
    const from = featureOf(file);
    if (from === undefined) return [];
    return importsOf(file).flatMap(({ target, typeOnly }) => {
      const to = featureOf(target);
      if (to === undefined || to === from) return [];
      const listed = FEATURE_EDGES[from]?.includes(to) ?? false;
      const store = target.endsWith("/store.ts");
      const value = !typeOnly && target.endsWith("/service.ts");
      return listed && !store && !value ? [] : [`${file} imports ${target}`];
    });
  });
  assert.deepEqual(faults, []);
});

test("only the configuration reads the environment and only the clock reads the time", () => {
  const faults = sources.flatMap((file) => {
    const text = readFileSync(file, "utf8");
    const inService = file.startsWith(SERVICE) || file.startsWith("packages/kernel");
    const readsEnvironment = /\bprocess\.env\b/.test(text) && !/platform\/(?:config\/|sample-data\.ts)/.test(file);
    const readsTime = /\bDate\.now\(\)|\bnew Date\(\)/.test(text) && !file.endsWith("platform/clock.ts");
    return inService && (readsEnvironment || readsTime) ? [file] : [];
  });
  assert.deepEqual(faults, []);
});
