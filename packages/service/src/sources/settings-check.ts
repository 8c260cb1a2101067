import { Ajv, type ErrorObject } from "ajv";
import type { Static, TSchema } from "typebox";
import { nearestName } from "@swath/kernel/text/nearest-name";
import { lazy } from "@swath/kernel/lazy";
import type { SettingsFault } from "./bindings.ts";

/** Checks settings that a person wrote. */
export interface SettingsCheck<Settings> {
  isValid(this: void, value: unknown): value is Settings;
  /** The value received, the value expected and, for an unknown member, the name that was probably meant. */
  faultsOf(this: void, value: unknown): readonly SettingsFault[];
}

const MAX_SHOWN_FAULTS = 100;
const MAX_SHOWN_TEXT = 80;

/** Compiles the schema at first use, which takes a twentieth of the start. */
export function settingsCheck<const Schema extends TSchema>(schema: Schema): SettingsCheck<Static<Schema>> {
  const compiled = lazy(() =>
    new Ajv({ allErrors: true, strict: false, verbose: true }).compile<Static<Schema>>(schema),
  );
  return {
    isValid: (value): value is Static<Schema> => compiled()(value),
    faultsOf(value) {
      const matches = compiled();
      if (matches(value)) return [];
      return outsideOfUnions(matches.errors ?? [])
        .slice(0, MAX_SHOWN_FAULTS)
        .map((error) => ({ path: error.instancePath, message: messageOf(error) }));
    },
  };
}

/** Of a union, the faults of the branch that was meant: the other branches say nothing to a reader. */
function outsideOfUnions(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const union = errors.findLast(({ keyword }) => keyword === "anyOf");
  if (union === undefined) return errors;
  const within = errors.filter(({ schemaPath }) => schemaPath.startsWith(`${union.schemaPath}/`));
  const others = errors.filter((error) => error !== union && !within.includes(error));
  const branches = Map.groupBy(within, ({ schemaPath }) => schemaPath.slice(union.schemaPath.length + 1).split("/")[0]);
  const meant = [...branches.values()].filter((branch) => branch.every((error) => !decidesBranch(error, union)));
  const [only] = meant;
  const kept = meant.length === 1 && only !== undefined ? outsideOfUnions(only) : [{ ...union, schemaPath: "" }];
  return [...outsideOfUnions(others), ...kept.map((error) => ({ ...error, keyword: shownKeyword(error) }))];
}

/** Whether the value is of another form than the branch: another type, or another constant in a member. */
function decidesBranch({ keyword, instancePath }: ErrorObject, union: ErrorObject): boolean {
  return keyword === "const" || (keyword === "type" && instancePath === union.instancePath);
}

/** A union that was read is none for a second reading. */
function shownKeyword({ keyword }: ErrorObject): string {
  return keyword === "anyOf" ? "union" : keyword;
}

function messageOf({ keyword, message = "is wrong", params, data, parentSchema }: ErrorObject): string {
  if (keyword === "additionalProperties") {
    const name = String(params["additionalProperty"]);
    const known = Object.keys(isRecord(parentSchema?.["properties"]) ? parentSchema["properties"] : {});
    return `got the member "${name}", ${suggested(name, known)}expected ${known.join(", ")}`;
  }
  if (keyword === "required") return `got no "${String(params["missingProperty"])}", which is required`;
  if (keyword === "union") return `got ${shortJson(data)}, expected ${branchNames(parentSchema?.["anyOf"])}`;
  if (keyword === "enum")
    return `got ${shortJson(data)}, expected one of ${[params["allowedValues"]].flat().join(", ")}`;
  return `got ${shortJson(data)}, expected ${expectedOf(message)}`;
}

/** `did you mean "…"? ` when a known name is near, else nothing. */
export function suggested(name: string, known: Iterable<string>): string {
  const near = nearestName(name, known);
  return near === null ? "" : `did you mean "${near}"? `;
}

/** The message of Ajv without its verb. */
function expectedOf(message: string): string {
  return message
    .replace(/^must be /u, "")
    .replace(/^must match /u, "a text of ")
    .replace(/^must NOT have fewer than /u, "at least ")
    .replace(/^must NOT have more than /u, "at most ");
}

/** The types of the branches, or the constants by which they differ. */
function branchNames(branches: unknown): string {
  if (!Array.isArray(branches)) return "another value";
  const names = branches.flatMap((branch: unknown) => {
    if (!isRecord(branch)) return [];
    const kind = isRecord(branch["properties"]) ? branch["properties"]["kind"] : undefined;
    if (isRecord(kind) && typeof kind["const"] === "string") return [`"kind": "${kind["const"]}"`];
    return [`const` in branch ? shortJson(branch["const"]) : String(branch["type"])];
  });
  return [...new Set(names)].join(" or ");
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > MAX_SHOWN_TEXT ? `${text.slice(0, MAX_SHOWN_TEXT)}…` : text;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
