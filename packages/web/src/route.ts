/** A view of the console: the part of its address below `/console`. */
export interface Route {
  /** Name of a screen; empty for the search. */
  readonly screen: string;
  /** Decoded parts below the name, such as identifiers. */
  readonly parts: readonly string[];
}

const BASE = "/console";

/** The longest map ID of the contract. */
const MAX_PART_CHARACTERS = 16_384;
const MAX_PARTS = 10;

/** Reads the path of an address. Parts that cannot be read are left out. */
export function parseRoute(pathname: string): Route {
  const [screen = "", ...parts] = pathname
    .slice(BASE.length)
    .split("/", MAX_PARTS + 2)
    .map(decodePart)
    .filter((part) => part !== "");
  return { screen, parts };
}

/** Returns the path of a view. Dots are encoded: the service takes paths with a dot for files. */
export function formatRoute({ screen, parts }: Route): string {
  const all = screen === "" ? [] : [screen, ...parts];
  return [BASE, ...all.map((part) => encodeURIComponent(part).replaceAll(".", "%2E"))].join("/");
}

function decodePart(text: string): string {
  try {
    const part = decodeURIComponent(text);
    return part.length <= MAX_PART_CHARACTERS ? part : "";
  } catch {
    return "";
  }
}
