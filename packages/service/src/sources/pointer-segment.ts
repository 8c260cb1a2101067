/** A name as a segment of a JSON Pointer (RFC 6901). */
export function pointerSegment(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
