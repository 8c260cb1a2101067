import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { writePrivateFile } from "./write-private-file.ts";

/** Where the service is when nothing says otherwise: the address that `swath serve` takes. */
export const DEFAULT_URL = "http://127.0.0.1:8080";

/** Variables of the environment that the command line reads. */
export interface Environment {
  readonly url: string | null;
  readonly token: string | null;
  readonly email: string | null;
  readonly password: string | null;
  /** Folder of the settings file. */
  readonly configFolder: string;
}

export function readEnvironment(variables: NodeJS.ProcessEnv): Environment {
  const value = (name: string): string | null => {
    const text = variables[name];
    return text === undefined || text === "" ? null : text;
  };
  return {
    url: value("SWATH_URL"),
    token: value("SWATH_TOKEN"),
    email: value("SWATH_EMAIL"),
    password: value("SWATH_PASSWORD"),
    configFolder: value("SWATH_CONFIG_HOME") ?? join(value("XDG_CONFIG_HOME") ?? join(homedir(), ".config"), "swath"),
  };
}

/** What `swath login` remembers of one service. */
interface SavedLogin {
  readonly email: string;
  readonly token: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

export interface Settings {
  /** The service that commands talk to when none is named. */
  readonly url: string | null;
  readonly logins: Readonly<Record<string, SavedLogin>>;
}

const EMPTY: Settings = { url: null, logins: {} };

function settingsPath(folder: string): string {
  return join(folder, "settings.json");
}

function isSavedLogin(value: unknown): value is SavedLogin {
  return (
    typeof value === "object" &&
    value !== null &&
    "email" in value &&
    typeof value.email === "string" &&
    "token" in value &&
    typeof value.token === "string" &&
    "expiresAt" in value &&
    typeof value.expiresAt === "string"
  );
}

/** Settings of the user; a missing or unreadable file is an empty one. */
export async function readSettings(folder: string): Promise<Settings> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(settingsPath(folder), "utf8"));
  } catch {
    return EMPTY;
  }
  if (typeof value !== "object" || value === null) return EMPTY;
  const logins: Record<string, SavedLogin> = {};
  if ("logins" in value && typeof value.logins === "object" && value.logins !== null) {
    for (const [url, login] of Object.entries(value.logins)) if (isSavedLogin(login)) logins[url] = login;
  }
  return { url: "url" in value && typeof value.url === "string" ? value.url : null, logins };
}

/** Writes the file in one step, readable by its owner only: it holds tokens. */
export async function writeSettings(folder: string, settings: Settings): Promise<string> {
  const path = settingsPath(folder);
  await writePrivateFile(path, settings);
  return path;
}
