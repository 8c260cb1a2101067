/** What a scene identifier says without the database. */
export interface SceneIdParts {
  readonly provider: string;
  readonly dataset: string;
  /** Unique within provider and dataset. */
  readonly local: string;
  /** Only of a clipped child: which part of the scene without it was cut out. */
  readonly clip?: string;
}

export const MAX_SCENE_ID_LENGTH = 128;

/** Characters that a clipped child's identifier adds to its parent's. */
const CLIP_LENGTH = 24;

/*
 * `<provider>.<dataset>.<local>`, and `.<clip>` of 24 hexadecimal digits for what was cut out of that scene. Each part escaped into `[A-Za-z0-9_-]` so that dots only separate, and the whole is
 * one URL path segment and one blob key segment. In a part `--` is a dash, `-_` is a slash and `-x` with two
 * upper-case hexadecimal digits is any other UTF-8 byte.
 */
const PLAIN = /^[A-Za-z0-9_]$/;

const ALL_PLAIN = /^[A-Za-z0-9_]*$/;

function escapePart(part: string): string {
  if (ALL_PLAIN.test(part)) return part;
  let escaped = "";
  for (const character of part.toWellFormed()) {
    if (PLAIN.test(character)) escaped += character;
    else if (character === "-") escaped += "--";
    else if (character === "/") escaped += "-_";
    else if (character.length === 1 && character < "\x80") {
      escaped += `-x${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
    } else {
      escaped += encodeURIComponent(character).replaceAll("%", "-x");
    }
  }
  return escaped;
}

function unescapePart(escaped: string): string | null {
  if (!/^(?:[A-Za-z0-9_]|--|-_|-x[0-9A-F]{2})+$/.test(escaped)) return null;
  const percent = escaped.replaceAll(/--|-_|-x([0-9A-F]{2})/g, (match, byte: string | undefined) => {
    if (byte !== undefined) return `%${byte}`;
    return match === "--" ? "-" : "/";
  });
  try {
    return decodeURIComponent(percent);
  } catch {
    return null;
  }
}

/** What all identifiers of one provider and dataset start with, the separator included. */
export function sceneIdPrefix(provider: string, dataset: string): string {
  return `${escapePart(provider)}.${escapePart(dataset)}.`;
}

/**
 * The identifier of a scene: URL-safe, at most 128 characters of `[A-Za-z0-9._-]`.
 *
 * @param local unique within provider and dataset, such as the provider's own identifier or a content hash
 * @throws {RangeError} if a part is empty or the identifier would be too long; then pass a hash as `local`
 * @example sceneId("ee", "COPERNICUS/S1_GRD", "abc") // "ee.COPERNICUS-_S1_GRD.abc"
 */
export function sceneId(provider: string, dataset: string, local: string): string {
  if (provider === "" || dataset === "" || local === "") {
    throw new RangeError(`scene identifier needs three parts, got "${provider}", "${dataset}", "${local}"`);
  }
  const id = sceneIdPrefix(provider, dataset) + escapePart(local);
  if (id.length > MAX_SCENE_ID_LENGTH) {
    throw new RangeError(`scene identifier "${id}" has ${id.length} characters, at most ${MAX_SCENE_ID_LENGTH} fit`);
  }
  return id;
}

/** The parts of a scene identifier, or null when the text is none. The inverse of `sceneId`. */
export function parseSceneId(id: string): SceneIdParts | null {
  if (id.length > MAX_SCENE_ID_LENGTH) return null;
  const segments = id.split(".");
  const clip = segments.length === 4 ? segments.pop() : undefined;
  if (segments.length !== 3 || (clip !== undefined && !/^[0-9a-f]{24}$/.test(clip))) return null;
  const [provider, dataset, local] = segments.map(unescapePart);
  if (typeof provider !== "string" || typeof dataset !== "string" || typeof local !== "string") return null;
  if (sceneIdPrefix(provider, dataset) + escapePart(local) !== segments.join(".")) return null;
  return clip === undefined ? { provider, dataset, local } : { provider, dataset, local, clip };
}

/**
 * The identifier of what is cut out of a scene.
 *
 * @param extentHash hexadecimal, at least 24 digits; its first 24 count
 * @throws {RangeError} if the parent is itself a clipped child, is no scene identifier or leaves no room
 */
export function clippedSceneId(parentId: string, extentHash: string): string {
  const parent = parseSceneId(parentId);
  if (parent === null || parent.clip !== undefined) {
    throw new RangeError(`"${parentId}" cannot be cut: it is ${parent === null ? "no scene" : "clipped already"}`);
  }
  const id = `${parentId}.${extentHash.slice(0, CLIP_LENGTH).toLowerCase()}`;
  if (parseSceneId(id) === null) {
    throw new RangeError(`"${id}" is no identifier of a clipped scene: at most ${MAX_SCENE_ID_LENGTH} characters fit`);
  }
  return id;
}

/** The scene that a clipped child was cut out of; any other identifier itself. */
export function parentSceneId(id: string): string {
  return parseSceneId(id)?.clip === undefined ? id : id.slice(0, -CLIP_LENGTH - 1);
}
