/**
 * Builds the web console into `packages/web/dist`: `npm run build:console`. With `--check` it only tells whether the
 * committed bundle is what its sources build.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { installExtra } from "./extras.ts";

interface Output {
  readonly imports: readonly { readonly path: string; readonly kind: string }[];
}

/** The part of esbuild's interface that is used. */
interface Esbuild {
  build(options: Readonly<Record<string, unknown>>): Promise<{
    readonly outputFiles: readonly { readonly path: string; readonly contents: Uint8Array; readonly text: string }[];
    readonly metafile: { readonly outputs: Readonly<Record<string, Output>> };
  }>;
}

const ROOT = join(import.meta.dirname, "..");
const SOURCE = join(ROOT, "packages", "web", "src");
const TARGET = join(ROOT, "packages", "web", "dist");

/**
 * The map library reads styles of JSON with expressions in 27 KB of script, also for a map that has none. A style of the
 * console is an object or a function.
 */
const WITHOUT_JSON_STYLES = {
  name: "without styles of JSON",
  setup(build: { onLoad(where: { readonly filter: RegExp }, load: () => { readonly contents: string }): void }): void {
    // The bundler takes no flags.
    // oxlint-disable-next-line require-unicode-regexp -- it is compiled by Go
    build.onLoad({ filter: /ol.render.canvas.style\.js$/ }, () => ({
      contents:
        "export function flatStyleLikeToStyleFunction() { throw new TypeError('expected a style as an object or a function'); }",
    }));
  },
};

const ABOUT = "Search satellite imagery, make maps of it and share them";

/** Pages by name, with the start of their script. A page of a folder that any web server serves has relative addresses and states its policy itself. */
const PAGES = [
  [
    "index.html",
    "console-",
    {
      folder: "/console/",
      about: ABOUT,
      policy: null,
      noScript: "The console needs JavaScript. The API at /docs does not.",
    },
  ],
  ["map.html", "public-", { folder: "/console/", about: ABOUT, policy: null, noScript: "The map needs JavaScript." }],
  [
    "published.html",
    "published-",
    {
      folder: "assets/",
      about: "Maps of satellite imagery",
      policy:
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'",
      noScript: "The maps need JavaScript.",
    },
  ],
] as const;

async function bundle(): Promise<ReadonlyMap<string, Uint8Array>> {
  const libraries = installExtra("console");
  const esbuild = createRequire(join(installExtra("bundle"), "package.json"))("esbuild") as Esbuild;
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: {
      console: join(SOURCE, "main.tsx"),
      public: join(SOURCE, "public", "main.tsx"),
      published: join(SOURCE, "published", "main.tsx"),
      style: join(SOURCE, "ui", "console.css"),
    },
    metafile: true,
    outdir: TARGET,
    bundle: true,
    charset: "utf8",
    entryNames: "[name]-[hash]",
    // Programs that satellite.js loads for many orbits at once; the console propagates one at a time.
    external: ["#wasm-*"],
    chunkNames: "[name]-[hash]",
    format: "esm",
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    logLevel: "warning",
    minify: true,
    nodePaths: [libraries],
    platform: "browser",
    plugins: [WITHOUT_JSON_STYLES],
    // Paths decide the order of short names: linked packages would give another bundle than installed ones.
    preserveSymlinks: true,
    splitting: true,
    target: "es2022",
    tsconfigRaw: {},
    write: false,
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents] as const));
  const entry = (start: string): string => {
    const name = [...files.keys()].find((one) => one.startsWith(start));
    if (name === undefined) throw new Error(`the bundle has no file ${start}`);
    return name;
  };
  const logo = readFileSync(join(SOURCE, "logo.svg"));
  const logoName = `logo-${createHash("sha256").update(logo).digest("hex").slice(0, 8)}.svg`;
  files.set(logoName, logo);
  for (const [name, start, page] of PAGES) {
    const script = entry(start);
    const parts = {
      script,
      chunks: chunksOf(metafile.outputs, script),
      style: entry("style-"),
      logo: logoName,
      ...page,
    };
    files.set(name, Buffer.from(htmlPage(parts)));
  }
  return files;
}

/** Names of the files that a script needs at once: the browser asks for them while it reads the script. */
function chunksOf(outputs: Readonly<Record<string, Output>>, script: string): readonly string[] {
  const needed = new Set<string>();
  const waiting = [script];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const output = Object.entries(outputs).find(([path]) => basename(path) === name)?.[1];
    for (const { path, kind } of output?.imports ?? []) {
      const chunk = basename(path);
      if (kind !== "import-statement" || needed.has(chunk)) continue;
      needed.add(chunk);
      waiting.push(chunk);
    }
  }
  return [...needed].toSorted();
}

interface HtmlParts {
  /** Address of the folder of the files, with its last slash. */
  readonly folder: string;
  readonly about: string;
  /** Policy of the page; null where the service sends it as a header. */
  readonly policy: string | null;
  readonly script: string;
  readonly chunks: readonly string[];
  readonly style: string;
  readonly logo: string;
  readonly noScript: string;
}

function htmlPage({ folder, about, policy, script, chunks, style, logo, noScript }: HtmlParts): string {
  const preloads = chunks.map((name) => `<link rel="modulepreload" href="${folder}${name}">\n`).join("");
  const meta = policy === null ? "" : `<meta http-equiv="content-security-policy" content="${policy}">\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${meta}<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="description" content="${about}">
<title>Swath</title>
<link rel="icon" type="image/svg+xml" href="${folder}${logo}">
<link rel="stylesheet" href="${folder}${style}">
${preloads}<script type="module" src="${folder}${script}"></script>
</head>
<body><div id="app"></div><noscript>${noScript}</noscript></body>
</html>
`;
}

function staleFiles(built: ReadonlyMap<string, Uint8Array>): readonly string[] {
  const committed = existsSync(TARGET) ? readdirSync(TARGET) : [];
  const superfluous = committed.filter((name) => !built.has(name));
  const changed = [...built].filter(
    ([name, bytes]) => !committed.includes(name) || !readFileSync(join(TARGET, name)).equals(bytes),
  );
  return [...superfluous, ...changed.map(([name]) => name)];
}

const built = await bundle();
const stale = staleFiles(built);
if (!process.argv.includes("--check")) {
  rmSync(TARGET, { recursive: true, force: true });
  mkdirSync(TARGET, { recursive: true });
  for (const [name, bytes] of built) writeFileSync(join(TARGET, name), bytes);
  process.stdout.write(`${[...built].map(([name, bytes]) => `${name} ${bytes.length}`).join("\n")}\n`);
} else if (stale.length > 0) {
  process.stderr.write(`stale: ${stale.join(", ")}; run \`npm run build:console\`\n`);
  process.exitCode = 1;
}
