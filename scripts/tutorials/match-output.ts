/**
 * Whether a program printed the output that a page shows. `…` in a line stands for any text, a line of `…` alone for any
 * lines. Widths of columns do not count.
 */
export function isShown(shown: string, printed: string): boolean {
  const lines = tidy(shown);
  const pattern = lines
    .map((line) =>
      line === "…"
        ? "(?:[^\\n]*\\n)*"
        : `${line
            .split("…")
            .map((part) => RegExp.escape(part))
            .join("[^\\n]*")}\\n`,
    )
    .join("");
  return new RegExp(`^${pattern}$`, "u").test(`${tidy(printed).join("\n")}\n`);
}

/** Lines without blanks at their ends and runs of blanks inside. */
function tidy(text: string): readonly string[] {
  return text
    .trim()
    .split("\n")
    .map((line) => line.trim().replaceAll(/\s+/g, " "));
}
