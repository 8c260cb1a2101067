/**
 * Whether one held permission grants a required one: it is equal to it or a leading run of whole
 * dot-separated segments of it. A longer permission never grants a shorter one.
 *
 * @see service interface, "Permission string"
 * @example grants("imagery.availability", "imagery.availability.ee.X") // true
 * @example grants("imagery.avail", "imagery.availability") // false
 */
export function grants(held: string, required: string): boolean {
  return required.startsWith(held) && (required.length === held.length || required[held.length] === ".");
}

/**
 * Whether a set of held permissions grants a required one. Cost depends on the segments of `required`,
 * never on the size of the set.
 */
export function isGranted(held: ReadonlySet<string>, required: string): boolean {
  if (held.has(required)) return true;
  for (let dot = required.lastIndexOf("."); dot > 0; dot = required.lastIndexOf(".", dot - 1)) {
    if (held.has(required.slice(0, dot))) return true;
  }
  return false;
}
