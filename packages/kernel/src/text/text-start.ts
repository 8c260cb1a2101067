/** The first UTF-16 units of a text, one fewer where the cut would part a surrogate pair. */
export function textStart(text: string, maxUnits: number): string {
  const partsPair = (text.codePointAt(maxUnits - 1) ?? 0) > 0xff_ff;
  return text.slice(0, partsPair ? maxUnits - 1 : maxUnits);
}
