import { badRequest } from "./bad-request.ts";

/** Members of items to send; `include` null where the request names none. */
export interface Fields {
  readonly include: readonly string[] | null;
  readonly exclude: readonly string[];
}

type Document = Readonly<Record<string, unknown>>;

const MAX_FIELDS = 200;
/** Always sent: an item without them is none. */
const IDENTITY = ["type", "stac_version", "id", "collection"];
/** The default set of the extension. */
const DEFAULTS = [...IDENTITY, "stac_extensions", "geometry", "bbox", "links", "assets", "properties.datetime"];

/** Fields of an address: `id,-geometry`; a plus may arrive as a space. */
export function fieldsOfText(text: string | undefined): Fields | null {
  if (text === undefined) return null;
  const names = text.split(",").map((name) => name.trim());
  const include = names.filter((name) => name !== "" && !name.startsWith("-"));
  const exclude = names.filter((name) => name.startsWith("-")).map((name) => name.slice(1));
  return checked({
    include: include.length === 0 ? null : include.map((name) => name.replace(/^\+/, "")),
    exclude,
  });
}

/** Fields of a body. @throws {ServiceError} BAD-REQUEST */
export function fieldsOfBody(value: unknown): Fields | null {
  if (value === undefined) return null;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw badRequest("fields", "must be an object with include and exclude");
  }
  const members = new Map<string, unknown>(Object.entries(value));
  const exclude = namesIn(members.get("exclude") ?? []);
  if (!members.has("include")) return checked({ include: null, exclude });
  const include = namesIn(members.get("include") ?? []);
  // An empty list beside others, or null, means the default set.
  return checked({ include: include.length === 0 ? DEFAULTS : include, exclude });
}

function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value;
  throw badRequest("fields", "must have lists of names");
}

function checked(fields: Fields): Fields {
  if ((fields.include?.length ?? 0) + fields.exclude.length > MAX_FIELDS) {
    throw badRequest("fields", `must have at most ${MAX_FIELDS} names`);
  }
  return fields;
}

/** Whether a member of items, or a part of it, is sent; for members that take work. */
export function wantsMember(fields: Fields | null, path: string): boolean {
  if (fields === null) return true;
  const { exclude, include } = fields;
  if (include === null) return !exclude.some((one) => isPathWithin(path, one));
  return include.some((one) => isPathWithin(path, one) || isPathWithin(one, path));
}

function isPathWithin(path: string, whole: string): boolean {
  return path === whole || path.startsWith(`${whole}.`);
}

/** The item with the wanted members. Included names win over excluded names. */
export function selectFields(item: Document, { include, exclude }: Fields): Document {
  const excludes = (path: string): boolean => exclude.includes(path) && include?.includes(path) !== true;
  if (include === null) return without(item, excludes, "");
  const isDefault = include === DEFAULTS;
  const wanted = isDefault ? include.filter((path) => !exclude.includes(path)) : [...IDENTITY, ...include];
  return pick(item, new Set(wanted), "", isDefault ? () => false : excludes);
}

function isRecord(value: unknown): value is Document {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function without(value: Document, excludes: (path: string) => boolean, prefix: string): Document {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const path = prefix + name;
      if (excludes(path)) return [];
      return [[name, isRecord(member) ? without(member, excludes, `${path}.`) : member]];
    }),
  );
}

function pick(
  value: Document,
  wanted: ReadonlySet<string>,
  prefix: string,
  excludes: (path: string) => boolean,
): Document {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const path = prefix + name;
      if (wanted.has(path)) return [[name, isRecord(member) ? without(member, excludes, `${path}.`) : member]];
      const isWithin = isRecord(member) && wanted.values().some((one) => one.startsWith(`${path}.`));
      return isWithin ? [[name, pick(member, wanted, `${path}.`, excludes)]] : [];
    }),
  );
}
