import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { env } from "node:process";

const CRATE = join(import.meta.dirname, "..", "packages", "kernel", "overlay-engine");
const GENERATED = join(CRATE, "..", "src", "geometry", "overlay-engine.generated.ts");
const SOURCES = ["Cargo.toml", "Cargo.lock", "rust-toolchain.toml", "src/lib.rs"] as const;
const TARGET = "wasm32-unknown-unknown";
/** The module fails beyond 256 MiB: 4,000,000 crossings, which take longer than any caller waits. */
const LINK_ARGUMENTS = "-C link-arg=--max-memory=268435456";

/** Of the committed module: which sources it was compiled from. */
function sourceSha256(): string {
  const hash = createHash("sha256").update(LINK_ARGUMENTS);
  for (const name of SOURCES) hash.update(name).update(readFileSync(join(CRATE, name)));
  return hash.digest("hex");
}

function generated(module: Uint8Array): string {
  return [
    "/**",
    " * A WebAssembly module, base64: `npm run build:wasm` compiles packages/kernel/overlay-engine, whose sources have the hash",
    ` * ${sourceSha256()}.`,
    " */",
    `export const OVERLAY_ENGINE = "${Buffer.from(module).toString("base64")}";`,
    "",
  ].join("\n");
}

/** Whether the committed module was compiled from the committed sources. */
export function isOverlayEngineFresh(): boolean {
  return readFileSync(GENERATED, "utf8").includes(sourceSha256());
}

/** Whether the pinned Rust compiler is here, with its target. */
export function hasRust(): boolean {
  try {
    const target = execFileSync("rustc", ["--print", "target-libdir", "--target", TARGET], {
      cwd: CRATE,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return readdirSync(target.trim()).some((name) => name.startsWith("libstd"));
  } catch {
    return false;
  }
}

/**
 * Compiles the module and writes it.
 *
 * @returns whether anything changed
 * @throws {Error} when the source does not compile
 */
export function buildOverlayEngine(): boolean {
  // The places of sources that end up in the module are the same on every machine.
  const remapped = [`${env["CARGO_HOME"] ?? join(homedir(), ".cargo")}=cargo`, `${CRATE}=overlay-engine`];
  const flags = [LINK_ARGUMENTS, ...remapped.map((places) => `--remap-path-prefix=${places}`)].join(" ");
  execFileSync("cargo", ["build", "--release", "--locked", "--target", TARGET], {
    cwd: CRATE,
    env: { ...env, RUSTFLAGS: flags },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const text = generated(readFileSync(join(CRATE, "target", TARGET, "release", "overlay_engine.wasm")));
  if (readFileSync(GENERATED, "utf8") === text) return false;
  writeFileSync(GENERATED, text);
  return true;
}
