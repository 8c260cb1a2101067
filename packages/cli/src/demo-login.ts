import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The demonstration user of a service that runs on this machine. */
export interface DemoLogin {
  readonly email: string;
  readonly password: string;
}

const DEFAULT_EMAIL = "demo@swath.local";

function isDemoLogin(value: unknown): value is DemoLogin {
  return (
    typeof value === "object" &&
    value !== null &&
    "email" in value &&
    typeof value.email === "string" &&
    "password" in value &&
    typeof value.password === "string"
  );
}

/** Folder of the service's data when it is started from here. */
export function dataFolder(variables: NodeJS.ProcessEnv): string {
  const folder = variables["SWATH_DATA"];
  return folder === undefined || folder === "" ? ".swath" : folder;
}

export function demoLoginPath(folder: string): string {
  return join(folder, "demo-login.json");
}

/** What a service started from here told its demonstration user; null when none was. */
export async function readDemoLogin(folder: string): Promise<DemoLogin | null> {
  try {
    const value: unknown = JSON.parse(await readFile(demoLoginPath(folder), "utf8"));
    return isDemoLogin(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * The demonstration user's login, made up at the first start and kept beside the data, readable by its owner only, so that
 * `swath demo` needs no password. A login from the configuration goes before it and is not written down; null then.
 */
export async function ensureDemoLogin(folder: string, variables: NodeJS.ProcessEnv): Promise<DemoLogin | null> {
  const isSet = (name: string): boolean => variables[name] !== undefined && variables[name] !== "";
  if (["SWATH_DEMO_PASSWORD", "SWATH_DEMO_EMAIL", "SWATH_DEMO_USER", "SWATH_CONFIG"].some(isSet)) return null;
  const known = await readDemoLogin(folder);
  if (known !== null) return known;
  const login = { email: DEFAULT_EMAIL, password: randomBytes(15).toString("base64url") };
  await mkdir(folder, { recursive: true });
  await writeFile(demoLoginPath(folder), `${JSON.stringify(login)}\n`, { mode: 0o600, flag: "wx" });
  return login;
}

/** The login to use with a service on this machine: from the configuration's variables, else from the data folder. */
export async function findDemoLogin(folder: string, variables: NodeJS.ProcessEnv): Promise<DemoLogin | null> {
  const password = variables["SWATH_DEMO_PASSWORD"];
  if (password !== undefined && password !== "") {
    const email = variables["SWATH_DEMO_EMAIL"];
    return { email: email === undefined || email === "" ? DEFAULT_EMAIL : email, password };
  }
  return await readDemoLogin(folder);
}
