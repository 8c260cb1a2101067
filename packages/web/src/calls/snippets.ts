import type { RecordedCall } from "./recorded-call.ts";

export const LANGUAGES = ["curl", "TypeScript", "Python"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The part of a call that a program needs. */
export type SnippetCall = Pick<RecordedCall, "method" | "path" | "body" | "isFile">;

/** The name of a file that a program writes. */
const FILE = "answer";

/** Text of a program that repeats a call; the token is taken from `SWATH_TOKEN` of the environment. */
export function snippet(language: Language, call: SnippetCall, origin: string): string {
  return MAKERS[language](call, origin);
}

const MAKERS: Readonly<Record<Language, (call: SnippetCall, origin: string) => string>> = {
  curl: ({ method, path, body, isFile }, origin) =>
    [
      `curl -sS ${method === "POST" ? "" : `-X ${method} `}${quoteShell(origin + path)}`,
      `  -H "authorization: Bearer $SWATH_TOKEN"`,
      ...(body === null ? [] : ["  -H 'content-type: application/json'", `  -d ${quoteShell(body)}`]),
      ...(isFile ? [`  -o ${FILE}`] : []),
    ].join(" \\\n"),
  TypeScript: ({ method, path, body, isFile }, origin) =>
    [
      ...(isFile ? ['import { writeFile } from "node:fs/promises";', ""] : []),
      `const answer = await fetch(${JSON.stringify(origin + path)}, {`,
      `  method: ${JSON.stringify(method)},`,
      "  headers: {",
      "    authorization: `Bearer ${process.env.SWATH_TOKEN}`,",
      ...(body === null ? [] : ['    "content-type": "application/json",']),
      "  },",
      ...(body === null ? [] : [`  body: JSON.stringify(${indented(body)}),`]),
      "});",
      "if (!answer.ok) throw new Error(await answer.text());",
      isFile ? `await writeFile("${FILE}", await answer.bytes());` : "console.log(await answer.json());",
    ].join("\n"),
  Python: ({ method, path, body, isFile }, origin) =>
    [
      "import json, os, urllib.request",
      "",
      "request = urllib.request.Request(",
      `    ${JSON.stringify(origin + path)},`,
      `    method=${JSON.stringify(method)},`,
      '    headers={"authorization": "Bearer " + os.environ["SWATH_TOKEN"], "content-type": "application/json"},',
      ...(body === null ? [] : [`    data=${quotePython(body)}.encode(),`]),
      ")",
      isFile
        ? `open("${FILE}", "wb").write(urllib.request.urlopen(request).read())`
        : "print(json.load(urllib.request.urlopen(request)))",
    ].join("\n"),
};

/** POSIX shells read nothing between single quotes. */
function quoteShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The escapes of JSON outside the basic plane are pairs, which Python would not join: they stay as they are. */
function quotePython(text: string): string {
  return JSON.stringify(text);
}

function indented(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2).replaceAll("\n", "\n  ");
}
