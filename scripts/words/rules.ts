import type { Paragraph } from "./prose.ts";

export interface Fault {
  readonly line: number;
  readonly message: string;
}

const MAX_SENTENCE_WORDS = 25;

const WORDS: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/\btold\b/i, "name the action: return, report, distinguish"],
  [/\bhad\b/i, "use the present tense"],
  [/\bapart\b/i, "say separate, split or except"],
  [/\bof (?:its|their) own\b/i, "say separate, or name the owner"],
  [/\bmade[ -]up\b/i, "say simulated, invented or derived"],
  [/\b(?:what|who|that|those) of\b/i, "repeat the noun"],
  [/\b(?:of|for|by|with|from|at|than|and|but|or|is|are|on|to|in) what\b/i, "name the thing"],
  [/(?:^|[.:;] )what\b(?![^.]*\?)/i, "name the thing"],
  [/(?:^|[.:;] |\b(?:of|for|by|with|to|and|but|or|is) )who\b(?![^.]*\?)/i, "name the person: the user, the caller"],
];

/** Code, quoted words and targets of links are not English; code in a list is not a word. */
function readable(text: string): string {
  return text
    .replaceAll(/`[^`]*`,/g, "")
    .replaceAll(/`[^`]*`/g, "code")
    .replaceAll(/\]\([^)]*\)/g, "]")
    .replaceAll(/"[^"]*"/g, "quote")
    .replaceAll(/\{@?\w[^}]*\}/g, "")
    .replaceAll(/https?:\S+/g, "link");
}

interface Sentence {
  readonly words: number;
  readonly from: number;
  readonly to: number;
}

/** A colon before a list ends a sentence, too. */
function sentences({ lines }: Paragraph): readonly Sentence[] {
  const found: Sentence[] = [];
  let words = 0;
  let from = lines[0]?.number ?? 0;
  for (const { number, text } of lines) {
    for (const word of readable(text).split(/\s+/)) {
      if (/[\p{L}\p{N}]/u.test(word)) {
        if (words === 0) from = number;
        words += 1;
      }
      const ends = /[.!?:]["')\]*_]*$/.test(word) && !/^(?:e\.g|i\.e|etc|vs|cf)\.$/.test(word);
      if (!ends || words === 0) continue;
      found.push({ words, from, to: number });
      words = 0;
    }
  }
  const last = lines.at(-1);
  if (words > 0 && last !== undefined) found.push({ words, from, to: last.number });
  return found;
}

/** Words and sentences of these paragraphs that break the rules of CONTRIBUTING, on lines that `isChecked`. */
export function proseFaults(
  paragraphs: readonly Paragraph[],
  isChecked: (line: number) => boolean = () => true,
): readonly Fault[] {
  const faults: Fault[] = [];
  for (const paragraph of paragraphs) {
    for (const { number, text } of paragraph.lines) {
      if (!isChecked(number)) continue;
      for (const [pattern, advice] of WORDS) {
        const [match] = pattern.exec(readable(text)) ?? [];
        if (match !== undefined) faults.push({ line: number, message: `"${match.trim()}": ${advice}` });
      }
    }
    if (paragraph.isTable) continue;
    for (const { words, from, to } of sentences(paragraph)) {
      if (words <= MAX_SENTENCE_WORDS || !anyLine(from, to, isChecked)) continue;
      faults.push({ line: from, message: `a sentence of ${words} words, at most ${MAX_SENTENCE_WORDS}` });
    }
  }
  return faults;
}

function anyLine(from: number, to: number, isChecked: (line: number) => boolean): boolean {
  for (let line = from; line <= to; line += 1) if (isChecked(line)) return true;
  return false;
}
