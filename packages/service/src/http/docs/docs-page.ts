import type { OpenApiDocument } from "../openapi/openapi.ts";
import { escapeMarkup } from "@swath/kernel/text/escape-markup";
import { DOCS_SCRIPT } from "./docs-script.ts";
import { fieldTable } from "./field-table.ts";
import { list, marked, record, text, type Json } from "./html.ts";
import { orderOfCalls } from "./order-of-calls.ts";
import { PAGE_STYLE } from "./page-style.ts";

interface DocumentedOperation {
  readonly path: string;
  readonly method: string;
  readonly details: Json;
}

/** The document as one HTML page that loads nothing. */
export function docsPage(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, details]) => ({ path, method, details: record(details) })),
  );
  const byTag = Map.groupBy(operations, ({ details }) => list(details["tags"]).map(text)[0] ?? "");
  const parts = [...byTag].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const schemas = record(document.components["schemas"]);
  const paths = new Map(operations.map(({ path, details }) => [text(details["operationId"]), escapeMarkup(path)]));
  const links = [...parts.map(([tag]) => tag), "schemas"].map(
    (tag) => `<a href="#part-${escapeMarkup(tag)}">${escapeMarkup(tag)}</a>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Swath API</title><style>${PAGE_STYLE}</style></head><body>
<h1>Swath API</h1><p>${marked(text(document.info["description"]))} Machine-readable: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
${signInForm(paths.has("oauth.ro"))}${orderOfCalls(paths)}<nav aria-label="Parts">${links.join("")}</nav>
<div class="find"><input id="find" type="search" placeholder="Search operations and schemas" aria-label="Search"></div>
<main>${parts
    .map(([tag, entries]) =>
      part(
        tag,
        entries.map((one) => operationEntry(one, schemas)),
      ),
    )
    .join("")}${part(
    "schemas",
    Object.entries(schemas).map(([name, schema]) => schemaEntry(name, record(schema))),
  )}</main>
<script>${DOCS_SCRIPT}</script></body></html>`;
}

/** Without the built-in identity provider only the token remains. */
function signInForm(builtIn: boolean): string {
  const form = `<form id="sign-in"><input id="email" type="email" placeholder="E-mail" aria-label="E-mail" autocomplete="username" required>
<input id="password" type="password" placeholder="Password" aria-label="Password" autocomplete="current-password">
<button>Sign in</button><input id="otp" class="hide" inputmode="numeric" placeholder="Code" aria-label="Code" autocomplete="one-time-code"></form>
<p id="signed" role="status" class="s"></p>`;
  return `<section id="access"><h2>Sign in</h2>${builtIn ? form : ""}
<input id="token" type="password" placeholder="Token or API key, for trying out" aria-label="Token" autocomplete="off"></section>`;
}

function part(name: string, entries: readonly string[]): string {
  return `<section data-part id="part-${escapeMarkup(name)}"><h2>${escapeMarkup(name)}</h2>${entries.join("")}</section>`;
}

function operationEntry({ path, method, details }: DocumentedOperation, schemas: Json): string {
  const summary = text(details["summary"]);
  const byRequest = list(details["x-permissions-by-request"]).map((template) => `${text(template)}?`);
  const permissions = [...list(details["x-permissions"]).map(text), ...byRequest];
  const access = list(details["security"]).length === 0 ? "public" : "token";
  const words = escapeMarkup(`${path} ${method} ${summary} ${permissions.join(" ")}`.toLowerCase());
  return `<details id="${escapeMarkup(text(details["operationId"]))}" data-text="${words}">
<summary><span class="m">${escapeMarkup(method.toUpperCase())}</span><span class="p">${escapeMarkup(path)}</span><span class="s">${escapeMarkup(summary)}</span></summary><div>
<p>${marked(text(details["description"]))}</p><p class="s">Access: ${access}${permissions.length > 0 ? `; permissions: <code>${escapeMarkup(permissions.join(", "))}</code>` : ""}</p>
${parameterTable(list(details["parameters"]).map(record))}${requestPart(path, method, record(details["requestBody"]), schemas)}${answersPart(record(details["responses"]), schemas)}
</div></details>`;
}

function parameterTable(parameters: readonly Json[]): string {
  if (parameters.length === 0) return "";
  const properties = parameters.map((one) => [
    `${text(one["name"])} (${text(one["in"])})`,
    { ...record(one["schema"]), description: one["description"] },
  ]);
  const required = parameters
    .filter((one) => one["required"] === true)
    .map((one) => `${text(one["name"])} (${text(one["in"])})`);
  return `<h4>Parameters</h4>${fieldTable({ properties: Object.fromEntries(properties), required })}`;
}

function requestPart(path: string, method: string, body: Json, schemas: Json): string {
  const json = record(record(body["content"])["application/json"]);
  if (json["schema"] === undefined) return "";
  const example = JSON.stringify(json["example"] ?? {}, null, 2);
  const rows = Math.min(16, example.split("\n").length + 1);
  return `<h4>Request</h4>${fieldTable(json["schema"], schemas)}<h4>Try</h4>
<textarea rows="${rows}" aria-label="Request body" spellcheck="false">${escapeMarkup(example)}</textarea>
${method === "post" && !path.includes("{") ? `<button data-try="${escapeMarkup(path)}">Send</button><pre class="answer hide"></pre>` : ""}`;
}

function answersPart(responses: Json, schemas: Json): string {
  const answers = Object.entries(responses);
  const rows = answers.map(
    ([status, answer]) =>
      `<tr><td><code>${status}</code></td><td>${marked(text(record(answer)["description"]))}</td></tr>`,
  );
  const json = record(record(record(responses["200"])["content"])["application/json"]);
  const example = json["example"] === undefined ? "" : `<h4>Example</h4><pre>${pretty(json["example"])}</pre>`;
  const fields = json["schema"] === undefined ? "" : `<h4>Answer</h4>${fieldTable(json["schema"], schemas)}`;
  return `${fields}${example}<h4>Statuses</h4><table><tbody>${rows.join("")}</tbody></table>`;
}

function schemaEntry(name: string, schema: Json): string {
  const description = text(schema["description"]);
  return `<details id="schema-${escapeMarkup(name)}" data-text="${escapeMarkup(`${name} ${description}`.toLowerCase())}"><summary><span class="p">${escapeMarkup(name)}</span><span class="s">${marked(description)}</span></summary><div>${fieldTable(schema)}</div></details>`;
}

function pretty(value: unknown): string {
  return escapeMarkup(JSON.stringify(value, null, 2));
}
