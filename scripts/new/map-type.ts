import { changedFile, insertSorted, newFile, type Change } from "./change.ts";
import { camelCase, pascalCase, sentenceCase } from "./names.ts";

/** Skeleton of a map type by a formula over bands, its page, its row and its line in the registry. */
export function newMapType(id: string): readonly Change[] {
  const name = camelCase(id);
  const importLine = `import { ${name} } from "./types/${id}/map-type.ts";`;
  const registry = (text: string): string =>
    insertSorted(
      insertSorted(text, importLine, (line) => /^import \{ \w+ \} from "\.\/types\//.test(line)),
      `  ${name},`,
      (line) => /^ {2}\w+,$/.test(line),
    );
  return [
    newFile(`packages/maps/src/types/${id}/map-type.ts`, descriptor(id)),
    newFile(`docs/map-types/${id}.md`, page(id)),
    changedFile("docs/map-types/README.md", (text) => addRow(text, id)),
    changedFile("packages/maps/src/registry.ts", registry),
  ];
}

function descriptor(id: string): string {
  return `import { spectralIndexMapType } from "../spectral-index/map-type.ts";

/** Replace the formula; letters are the roles of bands: B, G, R, N, S1, S2 and others of bands/band-role.ts. */
export const ${camelCase(id)} = spectralIndexMapType({
  id: "${id}",
  shortName: "${pascalCase(id)}",
  longName: "${sentenceCase(id)}",
  formula: "(N - R)/(N + R)",
  domain: "vegetation",
  reference: "own",
  roles: ["N", "R"],
  parameters: {},
  kernels: [],
});
`;
}

function page(id: string): string {
  return `# ${sentenceCase(id)}

One sentence about the purpose.

## Files

The files of [every spectral index](index.md).

## Method

The formula and its source.

## Limits

Scenes on which the values mislead.

## Quality

<!-- quality:begin -->

No figure yet.

<!-- quality:end -->
`;
}

/** The last row of the first table is followed by the new one; the formatter aligns it. */
function addRow(text: string, id: string): string {
  const lines = text.split("\n");
  const last = lines.findLastIndex((line, i) => line.startsWith("| [") && !(lines[i + 1] ?? "").startsWith("|"));
  if (last === -1) throw new RangeError("docs/map-types/README.md has no table of map types");
  return lines.toSpliced(last + 1, 0, `| [${id}](${id}.md) | ${sentenceCase(id)} | optical |`).join("\n");
}
