function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** Order by code points, which is that of the bytes of UTF-8 and of the database's "C" collation: negative, 0, positive. */
export function compareCodePoints(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i += 1) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    // Halves of pairs stand for code points beyond U+FFFF, although their units come before U+E000.
    if (x >= 0xd800 && y >= 0xd800 && isSurrogate(x) !== isSurrogate(y)) return isSurrogate(x) ? 1 : -1;
    return x - y;
  }
  return a.length - b.length;
}

/** The first `count` characters, code points counted. */
export function firstCharacters(text: string, count: number): string {
  return text.length <= count
    ? text
    : Array.from(text.slice(0, 2 * count))
        .slice(0, count)
        .join("");
}
