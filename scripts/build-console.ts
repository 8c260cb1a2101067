/**
 * Builds the web console into `packages/web/dist`: `npm run build:console`. With `--check` it only tells whether the
 * committed bundle is what its sources build.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { installExtra } from "./extras.ts";

/** The part of esbuild's interface that is used. */
interface Esbuild {
  build(options: Readonly<Record<string, unknown>>): Promise<{
    readonly outputFiles: readonly { readonly path: string; readonly contents: Uint8Array; readonly text: string }[];
  }>;
}

const ROOT = join(import.meta.dirname, "..");
const SOURCE = join(ROOT, "packages", "web", "src");
const TARGET = join(ROOT, "packages", "web", "dist");

async function bundle(): Promise<ReadonlyMap<string, Uint8Array>> {
  const libraries = installExtra("console");
  const esbuild = createRequire(join(installExtra("bundle"), "package.json"))("esbuild") as Esbuild;
  const { outputFiles } = await esbuild.build({
    entryPoints: { console: join(SOURCE, "main.tsx"), style: join(SOURCE, "ui", "console.css") },
    outdir: TARGET,
    bundle: true,
    charset: "utf8",
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    format: "esm",
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    logLevel: "warning",
    minify: true,
    nodePaths: [libraries],
    platform: "browser",
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
  files.set("index.html", Buffer.from(indexPage(entry("console-"), entry("style-"), logoName)));
  return files;
}

function indexPage(script: string, style: string, logo: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="description" content="Search satellite imagery, make maps of it and share them">
<title>Swath</title>
<link rel="icon" type="image/svg+xml" href="/console/${logo}">
<link rel="stylesheet" href="/console/${style}">
<script type="module" src="/console/${script}"></script>
</head>
<body><div id="app"></div><noscript>The console needs JavaScript. The API at /docs does not.</noscript></body>
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
