/** Languages whose blocks are run, or saved where the page says so. */
const RUNNABLE: ReadonlySet<string> = new Set(["sh", "ts", "py"]);

/** A code block of a page. */
export interface Block {
  /** Line of the page, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** File that the paragraph before the block names, as in "Save this as `ndvi.py`:". */
  readonly saveAs: string | null;
  /** Output that the page shows in the `text` block after this one. */
  readonly shown: string | null;
}

/** Blocks of a Markdown page that a reader would run or save, in their order. */
export function readBlocks(page: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: {
    readonly line: number;
    readonly indent: string;
    readonly language: string;
    readonly lines: string[];
  } | null = null;
  let prose = "";
  for (const [i, line] of page.split("\n").entries()) {
    const fence = /^(\s*)```(\S*)\s*$/.exec(line);
    if (open === null && fence !== null) {
      open = { line: i + 1, indent: fence[1] ?? "", language: fence[2] ?? "", lines: [] };
    } else if (open !== null && fence !== null) {
      addBlock(blocks, { line: open.line, language: open.language, text: open.lines.join("\n") }, prose);
      open = null;
      prose = "";
    } else if (open !== null) {
      open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line.trimStart());
    } else if (line.trim() !== "") {
      prose = `${prose} ${line.trim()}`;
    }
  }
  if (open !== null) throw new Error(`line ${open.line}: the block has no end`);
  return blocks;
}

function addBlock(blocks: Block[], block: Pick<Block, "line" | "language" | "text">, prose: string): void {
  const last = blocks.at(-1);
  if (block.language === "text") {
    if (last === undefined || last.shown !== null) throw new Error(`line ${block.line}: no block has this output`);
    blocks[blocks.length - 1] = { ...last, shown: block.text };
    return;
  }
  const saveAs = /\bas\s+`([^`]+)`[:.]?$/.exec(prose)?.[1] ?? null;
  if (saveAs !== null || RUNNABLE.has(block.language)) blocks.push({ ...block, saveAs, shown: null });
}
