/**
 * Builds the web console into `packages/web/dist`: `npm run build:console`. With `--check` it only tells whether the
 * committed bundle is what its sources build.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { installExtra } from "./extras.ts";

/** The part of Rolldown's interface that is used. */
interface Rolldown {
  rolldown(options: Readonly<Record<string, unknown>>): Promise<{
    generate(options: Readonly<Record<string, unknown>>): Promise<{ readonly output: readonly Chunk[] }>;
    close(): Promise<void>;
  }>;
}

/** A file of script. */
interface Chunk {
  readonly fileName: string;
  readonly code: string;
  /** Files that it needs at once. */
  readonly imports: readonly string[];
}

/** The part of esbuild's interface that is used. */
interface Esbuild {
  build(options: Readonly<Record<string, unknown>>): Promise<{
    readonly outputFiles: readonly { readonly path: string; readonly contents: Uint8Array }[];
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
  load: (path: string): string | null =>
    /ol.render.canvas.style\.js$/u.test(path)
      ? "export function flatStyleLikeToStyleFunction() { throw new TypeError('expected a style as an object or a function'); }"
      : null,
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

const tool = createRequire(join(installExtra("bundle"), "package.json"));

async function bundle(): Promise<ReadonlyMap<string, Uint8Array>> {
  const libraries = installExtra("console");
  const chunks = await bundleScripts(libraries);
  const files = new Map<string, Uint8Array>(chunks.map(({ fileName, code }) => [fileName, Buffer.from(code)]));
  const [style, styleBytes] = await bundleStyle(libraries);
  files.set(style, styleBytes);
  const logoBytes = readFileSync(join(SOURCE, "logo.svg"));
  const logo = `logo-${createHash("sha256").update(logoBytes).digest("hex").slice(0, 8)}.svg`;
  files.set(logo, logoBytes);
  for (const [name, start, page] of PAGES) {
    const script = chunks.find(({ fileName }) => fileName.startsWith(start))?.fileName;
    if (script === undefined) throw new Error(`the bundle has no file ${start}`);
    files.set(name, Buffer.from(htmlPage({ script, chunks: neededChunks(chunks, script), style, logo, ...page })));
  }
  return files;
}

/** Scripts of all pages: ten files for the first page. esbuild makes one for each set of scripts with common code, 43 in all. */
async function bundleScripts(libraries: string): Promise<readonly Chunk[]> {
  const library = tool("rolldown") as Rolldown;
  const bundler = await library.rolldown({
    input: {
      console: join(SOURCE, "main.tsx"),
      public: join(SOURCE, "public", "main.tsx"),
      published: join(SOURCE, "published", "main.tsx"),
    },
    // Programs that satellite.js loads for many orbits at once; the console propagates one at a time.
    external: (name: string) => name.startsWith("#wasm-"),
    logLevel: "warn",
    platform: "browser",
    plugins: [WITHOUT_JSON_STYLES],
    // Paths decide the order of short names: linked packages would give another bundle than installed ones.
    resolve: { modules: [join(ROOT, "node_modules"), libraries], symlinks: false },
    transform: { jsx: { runtime: "automatic", importSource: "preact" }, target: "es2022" },
    tsconfig: false,
  });
  const { output } = await bundler.generate({
    chunkFileNames: "[name]-[hash].js",
    comments: { legal: false },
    entryFileNames: "[name]-[hash].js",
    format: "esm",
    minify: true,
  });
  await bundler.close();
  return output;
}

async function bundleStyle(libraries: string): Promise<readonly [name: string, bytes: Uint8Array]> {
  const esbuild = tool("esbuild") as Esbuild;
  const { outputFiles } = await esbuild.build({
    entryPoints: { style: join(SOURCE, "ui", "console.css") },
    outdir: TARGET,
    bundle: true,
    charset: "utf8",
    entryNames: "[name]-[hash]",
    logLevel: "warning",
    minify: true,
    nodePaths: [libraries],
    target: "es2022",
    write: false,
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error("the style has no file");
  return [basename(file.path), file.contents];
}

/** Names of the files that a script needs at once: the browser asks for them while it reads the script. */
function neededChunks(chunks: readonly Chunk[], script: string): readonly string[] {
  const importsOf = new Map(chunks.map(({ fileName, imports }) => [fileName, imports]));
  const needed = new Set([script]);
  for (const name of needed) {
    for (const imported of importsOf.get(name) ?? []) if (importsOf.has(imported)) needed.add(imported);
  }
  needed.delete(script);
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
