/** Consecutive lines of text that read as one paragraph, without their markers. */
export interface Paragraph {
  readonly lines: readonly { readonly number: number; readonly text: string }[];
  /** Cells of a table list facts: their sentences may be long. */
  readonly isTable: boolean;
}

interface ProseLine {
  readonly number: number;
  readonly text: string;
  readonly startsParagraph: boolean;
  readonly isTable: boolean;
}

function paragraphs(lines: Iterable<ProseLine | null>): readonly Paragraph[] {
  const found: { lines: { number: number; text: string }[]; isTable: boolean }[] = [];
  let open = false;
  for (const line of lines) {
    if (line === null || line.text.trim() === "") {
      open = false;
      continue;
    }
    const { number, text, startsParagraph, isTable } = line;
    const last = found.at(-1);
    if (open && !startsParagraph && last !== undefined) last.lines.push({ number, text });
    else found.push({ lines: [{ number, text }], isTable });
    open = true;
  }
  return found;
}

const LIST_ITEM = /^(?:[-*]|\d+\.)\s+/;

/** Paragraphs, headings, list items and rows of tables; code blocks are left out. */
export function markdownProse(source: string): readonly Paragraph[] {
  let inCode = false;
  return paragraphs(
    source.split("\n").map((line, index): ProseLine | null => {
      const text = line.trim();
      if (text.startsWith("```")) {
        inCode = !inCode;
        return null;
      }
      if (inCode) return null;
      const isTable = text.startsWith("|");
      return {
        number: index + 1,
        text: text.replace(LIST_ITEM, "").replace(/^#+\s/, ""),
        startsParagraph: isTable || LIST_ITEM.test(text) || text.startsWith("#"),
        isTable,
      };
    }),
  );
}

/** Block comments, and line comments that fill their line. */
export function commentProse(source: string): readonly Paragraph[] {
  let inBlock = false;
  return paragraphs(
    source.split("\n").map((line, index): ProseLine | null => {
      const text = line.trim();
      const opens = !inBlock && text.startsWith("/*");
      if (!inBlock && !opens && !text.startsWith("//")) return null;
      if (opens) inBlock = true;
      if (inBlock && text.includes("*/")) inBlock = false;
      const words = text
        .replace(/^(?:\/\*+|\/\/|\*(?!\/))/, "")
        .replace(/\*\/.*$/, "")
        .trim();
      if (/^(?:oxlint-|eslint-|@ts-)/.test(words)) return null;
      return {
        number: index + 1,
        text: words.replace(LIST_ITEM, ""),
        startsParagraph: opens || words.startsWith("@") || LIST_ITEM.test(words),
        isTable: words.startsWith("|"),
      };
    }),
  );
}

/** Every `summary` and `description` of an OpenAPI document, written with one member a line. */
export function openApiProse(source: string): readonly Paragraph[] {
  /** Indentation of an example, while its lines last: they are data. */
  let example: string | null = null;
  return source.split("\n").flatMap((line, index) => {
    if (example !== null) {
      if (new RegExp(`^${example}[}\\]]`).test(line)) example = null;
      return [];
    }
    example = /^(\s*)"example": [{[]$/.exec(line)?.[1] ?? null;
    const [, text] = /^\s*"(?:summary|description)": (".*"),?$/.exec(line) ?? [];
    if (text === undefined) return [];
    return [{ lines: [{ number: index + 1, text: String(JSON.parse(text)) }], isTable: false }];
  });
}
