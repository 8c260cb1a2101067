import assert from "node:assert/strict";
import { test } from "node:test";
import { commentProse, markdownProse, openApiProse } from "./prose.ts";
import { type Fault, proseFaults } from "./rules.ts";

function inMarkdown(...lines: string[]): readonly Fault[] {
  return proseFaults(markdownProse(lines.join("\n")));
}

const words = (count: number): string => Array.from({ length: count }, () => "word").join(" ");

test("A word of the list is a fault on its line, whatever its case", () => {
  assert.deepEqual(
    inMarkdown("A fine line.", "The caller is Told so.").map(({ line }) => line),
    [2],
  );
  for (const text of ["It had a key.", "They lie apart.", "A row of its own.", "A made-up scene."]) {
    assert.equal(inMarkdown(text).length, 1, text);
  }
});

test("A pronoun in place of a noun is a fault, in a relative clause or a question it is none", () => {
  for (const text of ["It answers what is there.", "What lies below is lost.", "The price is that of the scene."]) {
    assert.equal(inMarkdown(text.replace("answers what", "is what")).length, 1, text);
  }
  assert.equal(inMarkdown("It is for who pays.").length, 1);
  assert.deepEqual(inMarkdown("Users who pay get the tile.", "What does it cost?"), []);
});

test("Code, quotations and addresses are no words", () => {
  assert.deepEqual(inMarkdown('The rule forbids "told" and `had`, see [rules](docs/apart.md).'), []);
});

test("A sentence has at most 25 words, also over a line break", () => {
  assert.deepEqual(inMarkdown(`${words(25)}. ${words(25)}.`), []);
  const found = inMarkdown("First.", words(20), `${words(6)}.`);
  assert.deepEqual(found, [{ line: 2, message: "a sentence of 26 words, at most 25" }]);
});

test("A full stop after a sign ends a sentence", () => {
  assert.deepEqual(inMarkdown(`${words(20)} 2 %. ${words(20)}.`), []);
});

test("A colon and the end of a list item end a sentence", () => {
  assert.deepEqual(inMarkdown(`${words(20)}: ${words(20)}`), []);
  assert.deepEqual(inMarkdown(`- ${words(20)}`, `- ${words(20)}`), []);
});

test("Code in a list does not lengthen a sentence", () => {
  assert.deepEqual(inMarkdown(`Files: ${"`a.png`, ".repeat(30)}${words(24)} and \`b.png\`.`).length, 1);
  assert.deepEqual(inMarkdown(`Files: ${"`a.png`, ".repeat(30)}${words(23)} and \`b.png\`.`), []);
});

test("Tables may hold long cells, code blocks anything", () => {
  assert.deepEqual(inMarkdown(`| ${words(40)} |`, "```", `${words(40)} told`, "```"), []);
});

test("Only checked lines are judged, a sentence where any of its lines is checked", () => {
  const prose = markdownProse(["It had one.", words(20), `${words(20)}.`].join("\n"));
  assert.deepEqual(
    proseFaults(prose, (line) => line === 3).map(({ line }) => line),
    [2],
  );
  assert.deepEqual(
    proseFaults(prose, () => false),
    [],
  );
});

test("Comments are prose, code and texts in it are none", () => {
  const source = ['const text = "told"; // told', "/**", " * It had one.", " *", " * @throws apart", " */", "// told"];
  assert.deepEqual(
    proseFaults(commentProse(source.join("\n"))).map(({ line }) => line),
    [3, 5, 7],
  );
});

test("A directive of the linter is no prose", () => {
  assert.deepEqual(proseFaults(commentProse("// oxlint-disable-next-line no-await-in-loop -- told")), []);
});

test("Summaries and descriptions of an OpenAPI document are prose", () => {
  const source = JSON.stringify({ summary: 'It had "one".', other: "told", description: "Fine." }, null, 2);
  assert.deepEqual(
    proseFaults(openApiProse(source)).map(({ line }) => line),
    [2],
  );
});

test("An example of an OpenAPI document is data", () => {
  const summary = "It had one.";
  const source = JSON.stringify({ example: { description: "told", deep: { summary } }, summary }, null, 2);
  assert.deepEqual(
    proseFaults(openApiProse(source)).map(({ line }) => line),
    [8],
  );
});
