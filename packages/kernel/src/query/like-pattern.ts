const ANY_RUN = Symbol("%");
const ANY_ONE = Symbol("_");
type Part = string | typeof ANY_RUN | typeof ANY_ONE;

/** Why a pattern is none, or null. */
export function likePatternFault(pattern: string): string | null {
  const tail = /\\*$/.exec(pattern)?.[0].length ?? 0;
  return tail % 2 === 1 ? "must not end with an escape character" : null;
}

function partsOf(pattern: string): readonly Part[] {
  const parts: Part[] = [];
  let escaped = false;
  for (const character of pattern) {
    if (!escaped && character === "\\") {
      escaped = true;
      continue;
    }
    if (!escaped && character === "%") parts.push(ANY_RUN);
    else parts.push(!escaped && character === "_" ? ANY_ONE : character);
    escaped = false;
  }
  return parts;
}

/** The text that every match begins with. */
export function likePrefix(pattern: string): string {
  const parts = partsOf(pattern);
  const end = parts.findIndex((part) => typeof part !== "string");
  return parts
    .slice(0, end === -1 ? parts.length : end)
    .map(String)
    .join("");
}

/** Whether a text matches: time grows with the product of both lengths at worst, never faster. */
export function likeMatcher(pattern: string): (text: string) => boolean {
  const parts = partsOf(pattern);
  return (text) => {
    const characters = Array.from(text);
    let at = 0;
    let part = 0;
    let runPart = -1;
    let runAt = 0;
    while (at < characters.length) {
      const wanted = parts[part];
      if (wanted === ANY_RUN) {
        runPart = part;
        runAt = at;
        part += 1;
      } else if (wanted !== undefined && (wanted === ANY_ONE || wanted === characters[at])) {
        part += 1;
        at += 1;
      } else if (runPart >= 0) {
        // The last run takes one character more; earlier runs need never change.
        runAt += 1;
        at = runAt;
        part = runPart + 1;
      } else {
        return false;
      }
    }
    while (parts[part] === ANY_RUN) part += 1;
    return part === parts.length;
  };
}
