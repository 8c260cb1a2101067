import assert from "node:assert/strict";
import { test } from "node:test";
import { readBlocks } from "./read-page.ts";

const PAGE = `# Page

\`\`\`sh
echo one
\`\`\`

It prints:

\`\`\`text
one
\`\`\`

1. Save this
   as \`a.json\`:

   \`\`\`json
   {
     "a": 1
   }
   \`\`\`

\`\`\`json
{ "only": "shown" }
\`\`\`
`;

test("blocks are read with their output, their file and their line; other languages are left alone", () => {
  assert.deepEqual(readBlocks(PAGE), [
    { line: 3, language: "sh", text: "echo one", saveAs: null, shown: "one" },
    { line: 16, language: "json", text: '{\n  "a": 1\n}', saveAs: "a.json", shown: null },
  ]);
});

test("a page with an output of nothing or an open block is refused", () => {
  assert.throws(() => readBlocks("```text\nx\n```\n"), /line 1: no block/);
  assert.throws(() => readBlocks("text\n```sh\nx\n"), /line 2: the block has no end/);
});
