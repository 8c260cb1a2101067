import { nearestName } from "@swath/kernel/text/nearest-name";
import { CONFIG_FILE_VARIABLE, variables } from "./variables.ts";

type Settings = Readonly<Record<string, string | undefined>>;

const PREFIX = "SWATH_";
const DATABASE = variables.databaseUrl.name;
/** Variables of the command line, of its launcher and of tests. */
const OTHERS = [
  CONFIG_FILE_VARIABLE,
  "SWATH_CONFIG_HOME",
  "SWATH_EMAIL",
  "SWATH_PASSWORD",
  "SWATH_REEXECUTED",
  "SWATH_SAMPLE_DATA",
  "SWATH_TOKEN",
  "SWATH_URL",
];
const SETTINGS: readonly string[] = Object.values(variables).map(({ name }) => name);
const KNOWN: ReadonlySet<string> = new Set([...SETTINGS, ...OTHERS]);

/** The setting that a misspelt name most likely means; null when none is near. */
export function nearestSetting(name: string): string | null {
  const withPrefix = SETTINGS.filter((setting) => setting.startsWith(PREFIX));
  const stems = [CONFIG_FILE_VARIABLE, ...withPrefix].map((setting) => setting.slice(PREFIX.length));
  const near = name.startsWith(PREFIX) ? nearestName(name.slice(PREFIX.length), stems) : null;
  return near === null ? nearestName(name, [DATABASE]) : PREFIX + near;
}

/**
 * A sentence for each variable that looks like a setting and has no effect. The service starts nevertheless: for a
 * service named `swath`, Kubernetes sets variables such as `SWATH_SERVICE_HOST`.
 */
export function misspeltVariables(environment: Settings = process.env): readonly string[] {
  const faults = Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !KNOWN.has(name))
    .map((name) => ({ name, near: nearestSetting(name) }));
  const database = Object.keys(environment).find((name) => isDatabaseMisspelt(name, environment));
  if (database !== undefined) faults.push({ name: database, near: DATABASE });
  return faults.map(({ name, near }) => {
    const question = near === null ? "see docs/configuration.md" : `did you mean ${near}?`;
    return `the variable ${name} is no setting and has no effect; ${question}`;
  });
}

/** A service whose DATABASE_URL is misspelt starts on an empty embedded database. */
function isDatabaseMisspelt(name: string, environment: Settings): boolean {
  if (name === DATABASE || environment[DATABASE] !== undefined || !/^postgres(?:ql)?:/u.test(environment[name] ?? "")) {
    return false;
  }
  return nearestName(name, [DATABASE]) !== null;
}
