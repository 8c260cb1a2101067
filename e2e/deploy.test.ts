import assert from "node:assert/strict";
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { freePort } from "@swath/base/processes/free-port";
import { SELF_SIGNED, TEST_KEY } from "@swath/base/testing/certificates";
import { coastGeotiff } from "./make-geotiff.ts";
import { RawClient } from "./raw-client.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";
import { until } from "./until.ts";

const ROOT = join(import.meta.dirname, "..");
const DEPLOY = join(ROOT, "deploy");
const COMPOSE = readFileSync(join(DEPLOY, "compose.yaml"), "utf8");
const PATHS = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", join(homedir(), "go", "bin")];

/** Path of an installed program; null when there is none. */
function find(program: string): string | null {
  return PATHS.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? null;
}

interface Outcome {
  readonly code: number;
  readonly output: string;
}

function run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { cwd: ROOT, env: { PATH: PATHS.join(delimiter), HOME: tmpdir(), ...env } };
    execFile(program, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
      resolve({ code, output: stdout + stderr });
    });
  });
}

async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "swath-deploy-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

async function answersWell(url: string): Promise<boolean> {
  return (await fetch(url).catch(() => null))?.ok === true;
}

/** A program that runs until it is disposed. */
function start(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child: ChildProcess = spawn(program, args, {
    env: { PATH: PATHS.join(delimiter), ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  return {
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

interface HttpsAnswer {
  readonly status: number;
  readonly body: string;
}

/** A request to a proxy whose certificate signs itself. */
async function ask(url: string, method = "GET", body: Uint8Array | string = "", token = ""): Promise<HttpsAnswer> {
  const type = typeof body === "string" ? "application/json" : "application/octet-stream";
  const headers = {
    "content-type": type,
    "content-length": Buffer.byteLength(body),
    ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
  };
  const outgoing = request(url, { method, ca: SELF_SIGNED, headers });
  outgoing.end(body);
  const [incoming] = await once(outgoing, "response");
  return { status: incoming.statusCode, body: await text(incoming) };
}

/** A service behind a proxy at the address: probes and uploads pass, metrics do not. */
async function tryProxy(publicUrl: string, service: ServiceProcess): Promise<void> {
  await until(
    "the proxy answers",
    async () => (await ask(`${publicUrl}/health/ready`).catch(() => null))?.status === 200,
  );
  assert.equal((await ask(`${publicUrl}/metrics`)).status, 404);
  const { token } = await new RawClient(service.baseUrl).login(DEMO);
  const bytes = coastGeotiff();
  const announced = JSON.stringify({ uploadSuffix: ".geotiff", size: bytes.length, filename: "coast" });
  const accepted = await ask(`${publicUrl}/imagery/ingest-scene/upload`, "POST", announced, token ?? "");
  assert.equal(accepted.status, 200, accepted.body);
  const { url } = JSON.parse(accepted.body) as { readonly url: string };
  assert.ok(url.startsWith(`${publicUrl}/`), url);
  const uploaded = await ask(url, "PUT", bytes);
  assert.ok(uploaded.status >= 200 && uploaded.status < 300, uploaded.body);
}

async function behindProxy(port: number): Promise<ServiceProcess> {
  return ServiceProcess.start({
    SWATH_PUBLIC_URL: `https://localhost:${port}`,
    SWATH_TRUST_PROXY: "on",
    SWATH_METRICS_TOKEN: "a-token-of-the-scraper",
  });
}

function portOf(service: ServiceProcess): string {
  return new URL(service.baseUrl).port;
}

test("the compose file has pinned images, no password and no demonstration user", () => {
  const images = [...COMPOSE.matchAll(/^ +image: (\S+)$/gmu)].map(([, image = ""]) => image);
  for (const image of images.filter((one) => one !== "swath")) assert.match(image, /:v?\d/u);
  assert.doesNotMatch(COMPOSE, /minio/u);
  assert.match(COMPOSE, /SWATH_DEMO_USER: "off"/u);
  for (const [line, value = ""] of COMPOSE.matchAll(/^ +\w*(?:PASSWORD|SECRET)\w*: (.*)$/gmu)) {
    assert.match(value, /^\$\{\w+:\?[^}]+\}$/u, line);
  }
  assert.match(COMPOSE, /postgres:\/\/swath:\$\{POSTGRES_PASSWORD:\?/u);
});

test("compose accepts the file with every variable set, and names one that is missing", async (t) => {
  const plugin = find("docker");
  const hasPlugin = plugin !== null && (await run(plugin, ["compose", "version"])).code === 0;
  const program = hasPlugin ? plugin : find("docker-compose");
  if (program === null) return t.skip("docker compose is not installed: apt-get install docker-compose");
  const args = [...(hasPlugin ? ["compose"] : []), "-f", "deploy/compose.yaml", "config"];
  const names = [...readFileSync(join(DEPLOY, "compose.env.example"), "utf8").matchAll(/^(\w+)=$/gmu)];
  const variables = Object.fromEntries(names.map(([, name = ""]) => [name, "value1"]));
  const complete = await run(program, args, variables);
  assert.equal(complete.code, 0, complete.output);
  assert.match(complete.output, /SWATH_ROLES: worker/u);
  for (const name of Object.keys(variables)) {
    const incomplete = await run(program, args, { ...variables, [name]: "" });
    assert.notEqual(incomplete.code, 0, `${name} is not required`);
    assert.match(incomplete.output, new RegExp(`${name}|set `, "u"));
  }
});

test("the S3 server of the compose file, with its own command, takes the bucket and the blobs of a service", async (t) => {
  const program = find("versitygw");
  if (program === null) {
    const version = /versitygw:(v\S+)/u.exec(COMPOSE)?.[1];
    return t.skip(`versitygw is not installed: go install github.com/versity/versitygw/cmd/versitygw@${version}`);
  }
  await using folder = await temporaryFolder();
  const [data, metadata] = [join(folder.path, "data"), join(folder.path, "metadata")];
  await Promise.all([mkdir(data), mkdir(metadata)]);
  const port = await freePort();
  const command = /image: versity\/versitygw:\S+\n +command: (\[.*\])/u.exec(COMPOSE)?.[1] ?? assert.fail("no command");
  const args = (JSON.parse(command) as string[]).map(
    (arg) => ({ ":7070": `127.0.0.1:${port}`, "/data": data, "/metadata": metadata })[arg] ?? arg,
  );
  const bucket = {
    SWATH_S3_BUCKET: "swath",
    SWATH_S3_ENDPOINT: `http://127.0.0.1:${port}`,
    SWATH_S3_ACCESS_KEY_ID: "swath",
    SWATH_S3_SECRET_ACCESS_KEY: "a-secret-of-the-server",
  };
  await using programs = new AsyncDisposableStack();
  programs.use(start(program, args, { ROOT_ACCESS_KEY: "swath", ROOT_SECRET_KEY: "a-secret-of-the-server" }));
  // Twice: the second start of the containers finds the bucket.
  for (let round = 0; round < 2; round += 1) {
    const made = await run(process.execPath, ["deploy/create-bucket.js"], bucket);
    assert.equal(made.code, 0, made.output);
  }
  await using service = await ServiceProcess.start({ ...bucket, SWATH_BLOBS: "s3", SWATH_S3_PATH_STYLE: "on" });
  await until("the store is ready", () => answersWell(`${service.baseUrl}/health/ready`));
  assert.ok(existsSync(join(data, "swath", "probe")));
});

test("systemd accepts the unit, and its command starts the service and ends it with 0", async (t) => {
  const unit = readFileSync(join(DEPLOY, "swath.service"), "utf8");
  const command = /^ExecStart=(.*)$/mu.exec(unit)?.[1] ?? assert.fail("no ExecStart");
  const [program = "", ...args] = command.split(" ").map((part) => part.replace("/opt/swath/", `${ROOT}/`));
  await using folder = await temporaryFolder();
  const [port, opsPort] = [await freePort(), await freePort()];
  const assigned = [...unit.matchAll(/^Environment=(.*)$/gmu)].flatMap(([, line = ""]) => line.split(" "));
  const env = {
    ...Object.fromEntries(assigned.map((pair) => pair.split("=", 2))),
    SWATH_DATA: folder.path,
    SWATH_PORT: String(port),
    SWATH_OPS_PORT: String(opsPort),
    PATH: PATHS.join(delimiter),
  };
  const child = spawn(program, args, { cwd: ROOT, env, stdio: "ignore" });
  const ended = once(child, "exit");
  await until("the service is ready", () => answersWell(`http://127.0.0.1:${opsPort}/health/ready`));
  child.kill("SIGTERM");
  assert.deepEqual(await ended, [0, null]);

  const analyze = find("systemd-analyze");
  if (analyze === null) return t.skip("systemd-analyze is not installed");
  const path = join(folder.path, "swath.service");
  const local = unit.replaceAll("/opt/swath", ROOT).replace("User=swath\nGroup=swath\n", "");
  await writeFile(path, local);
  const verified = await run(analyze, ["verify", "--man=no", path]);
  assert.deepEqual(verified, { code: 0, output: "" });
});

test("nginx with the example passes probes and uploads, redirects to https and keeps metrics inside", async (t) => {
  const nginx = find("nginx");
  if (nginx === null) return t.skip("nginx is not installed: apt-get install nginx-light");
  await using folder = await temporaryFolder();
  const [port, openPort] = [await freePort(), await freePort()];
  await using service = await behindProxy(port);
  await writeFile(join(folder.path, "cert.pem"), SELF_SIGNED);
  await writeFile(join(folder.path, "key.pem"), TEST_KEY);
  const site = readFileSync(join(DEPLOY, "nginx.conf"), "utf8")
    .replace("listen 80;", `listen 127.0.0.1:${openPort};`)
    .replace("listen 443 ssl;", `listen 127.0.0.1:${port} ssl;`)
    .replaceAll("server_name imagery.example;", "server_name localhost;")
    .replace("/etc/ssl/imagery.example.pem", join(folder.path, "cert.pem"))
    .replace("/etc/ssl/private/imagery.example.key", join(folder.path, "key.pem"))
    .replace("127.0.0.1:8080", `127.0.0.1:${portOf(service)}`)
    // The port of this test instead of 443.
    .replaceAll("X-Forwarded-Host $host;", "X-Forwarded-Host $http_host;");
  await writeFile(join(folder.path, "site.conf"), site);
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${name};`);
  const http = `http { access_log off; ${places.join(" ")} include site.conf; }`;
  const user = process.getuid?.() === 0 ? "user root; " : "";
  await writeFile(join(folder.path, "nginx.conf"), `${user}pid nginx.pid; events {} ${http}`);
  const args = ["-p", folder.path, "-c", "nginx.conf", "-e", "stderr"];
  await using programs = new AsyncDisposableStack();
  programs.use(start(nginx, [...args, "-g", "daemon off;"]));
  await tryProxy(`https://localhost:${port}`, service);
  const redirected = await fetch(`http://localhost:${openPort}/docs`, { redirect: "manual" });
  assert.equal(redirected.status, 301);
  assert.equal(redirected.headers.get("location"), "https://localhost/docs");
});

test("Caddy with the example passes probes and uploads and keeps metrics inside", async (t) => {
  const caddy = find("caddy");
  if (caddy === null) return t.skip("Caddy is not installed: apt-get install caddy, or go install its cmd/caddy");
  await using folder = await temporaryFolder();
  const port = await freePort();
  await using service = await behindProxy(port);
  const [cert, key] = [join(folder.path, "cert.pem"), join(folder.path, "key.pem")];
  await writeFile(cert, SELF_SIGNED);
  await writeFile(key, TEST_KEY);
  const site = readFileSync(join(DEPLOY, "Caddyfile"), "utf8")
    .replace("imagery.example {", `https://localhost:${port} {\n\ttls ${cert} ${key}`)
    .replace("reverse_proxy 127.0.0.1:8080", `reverse_proxy 127.0.0.1:${portOf(service)}`);
  const path = join(folder.path, "Caddyfile");
  await writeFile(path, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`);
  const env = { HOME: folder.path, XDG_DATA_HOME: folder.path, XDG_CONFIG_HOME: folder.path };
  await using programs = new AsyncDisposableStack();
  programs.use(start(caddy, ["run", "--config", path, "--adapter", "caddyfile"], env));
  await tryProxy(`https://localhost:${port}`, service);
});
