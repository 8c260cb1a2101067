import type { OpenApiDocument } from "./openapi/openapi.ts";

const STYLE = `
:root{color-scheme:light dark;--line:#8884;--soft:#8881;--accent:#0b7285}
*{box-sizing:border-box}body{margin:0 auto;max-width:68rem;padding:1rem;font:15px/1.5 system-ui,sans-serif}
h1{margin:.2rem 0}h2{margin:2rem 0 .5rem;text-transform:capitalize}input,textarea{font:inherit;padding:.4rem .6rem;border:1px solid var(--line);border-radius:6px;width:100%;background:transparent;color:inherit}
.bar{display:grid;grid-template-columns:2fr 1fr;gap:.6rem;position:sticky;top:0;padding:.6rem 0;background:Canvas;z-index:1}
details{border:1px solid var(--line);border-radius:8px;margin:.4rem 0}summary{cursor:pointer;padding:.5rem .7rem;display:flex;gap:.7rem;align-items:baseline;flex-wrap:wrap}
details>div{padding:0 .9rem .8rem}.m{font:600 12px ui-monospace,monospace;color:#fff;background:var(--accent);border-radius:4px;padding:.1rem .45rem}
code,pre,textarea{font:13px/1.45 ui-monospace,monospace}pre{background:var(--soft);padding:.6rem;border-radius:6px;overflow:auto;max-height:28rem;margin:.3rem 0}
.p{font-family:ui-monospace,monospace}.s{opacity:.75}table{border-collapse:collapse;width:100%}td{border-top:1px solid var(--line);padding:.25rem .5rem;vertical-align:top}
button{font:inherit;padding:.3rem .9rem;border-radius:6px;border:1px solid var(--accent);background:var(--accent);color:#fff;cursor:pointer;margin:.4rem 0}.hide{display:none}a{color:var(--accent)}
`;

/** Search over the operations, and trying one out against the service itself. */
export const DOCS_SCRIPT = `
const find = document.getElementById("find");
const entries = [...document.querySelectorAll("[data-text]")];
find.addEventListener("input", () => {
  const words = find.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const entry of entries) entry.classList.toggle("hide", !words.every((word) => entry.dataset.text.includes(word)));
  for (const part of document.querySelectorAll("section"))
    part.classList.toggle("hide", !part.querySelector("[data-text]:not(.hide)"));
});
document.addEventListener("click", async (event) => {
  const path = event.target.dataset?.try;
  if (!path) return;
  const place = event.target.closest("div");
  const output = place.querySelector(".answer");
  const token = document.getElementById("token").value.trim();
  const headers = { "content-type": "application/json" };
  if (token) headers.authorization = "Bearer " + token;
  output.classList.remove("hide");
  output.textContent = "…";
  try {
    const answer = await fetch(path, { method: "POST", headers, body: place.querySelector("textarea").value || "{}" });
    const text = await answer.text();
    let shown = text;
    try { shown = JSON.stringify(JSON.parse(text), null, 2); } catch {}
    output.textContent = answer.status + " " + answer.statusText + "\\n" + shown.slice(0, 100000);
  } catch (error) { output.textContent = String(error); }
});
`;

type Json = Readonly<Record<string, unknown>>;

/** The document as one HTML page that loads nothing. */
export function docsPage(document: OpenApiDocument): string {
  const schemas = record(document.components["schemas"]);
  const byTag = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const details = record(operation);
      const tag = list(details["tags"]).map(text)[0] ?? "";
      byTag.set(tag, [...(byTag.get(tag) ?? []), operationEntry(path, method, details)]);
    }
  }
  const sections = [...byTag]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([tag, entries]) => `<section><h2>${escape(tag)}</h2>${entries.join("")}</section>`);
  const schemaEntries = Object.entries(schemas).map(([name, schema]) => schemaEntry(name, record(schema)));
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Swath API</title><style>${STYLE}</style></head><body>
<h1>Swath API</h1><p>${escape(text(document.info["description"]))} Machine-readable: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<div class="bar"><input id="find" type="search" placeholder="Search operations and schemas" aria-label="Search" autofocus>
<input id="token" type="password" placeholder="Token, for trying out" aria-label="Token" autocomplete="off"></div>
<main>${sections.join("")}<section><h2>Schemas</h2>${schemaEntries.join("")}</section></main>
<script>${DOCS_SCRIPT}</script></body></html>`;
}

function operationEntry(path: string, method: string, operation: Json): string {
  const summary = text(operation["summary"]);
  const byRequest = list(operation["x-permissions-by-request"]).map((template) => `${text(template)}?`);
  const permissions = [...list(operation["x-permissions"]).map(text), ...byRequest];
  const body = record(record(record(operation["requestBody"])["content"])["application/json"])["schema"];
  const answers = Object.entries(record(operation["responses"]));
  const access = list(operation["security"]).length === 0 ? "public" : "token";
  const rows = answers.map(
    ([status, answer]) =>
      `<tr><td><code>${escape(status)}</code></td><td>${escape(text(record(answer)["description"]))}${schemaOf(answer)}</td></tr>`,
  );
  const given = list(operation["parameters"]).map(record);
  const parameters = given.map(
    (parameter) =>
      `<tr><td><code>${escape(text(parameter["name"]))}</code> <span class="s">${escape(text(parameter["in"]))}${parameter["required"] === true ? ", required" : ""}</span></td><td>${escape(text(parameter["description"]))}<pre>${pretty(parameter["schema"])}</pre></td></tr>`,
  );
  return `<details id="${escape(text(operation["operationId"]))}" data-text="${escape(`${path} ${method} ${summary} ${permissions.join(" ")}`.toLowerCase())}">
<summary><span class="m">${escape(method.toUpperCase())}</span><span class="p">${escape(path)}</span><span class="s">${escape(summary)}</span></summary><div>
<p>${escape(text(operation["description"]))}</p><p class="s">Access: ${access}${permissions.length > 0 ? `; permissions: <code>${escape(permissions.join(", "))}</code>` : ""}</p>
${parameters.length > 0 ? `<h4>Parameters</h4><table>${parameters.join("")}</table>` : ""}
${body === undefined ? "" : `<h4>Request</h4><pre>${pretty(body)}</pre>`}<h4>Answers</h4><table>${rows.join("")}</table>
${method === "post" && body !== undefined ? `<h4>Try</h4><textarea rows="4" aria-label="Request body">{}</textarea><button data-try="${escape(path)}">Send</button><pre class="answer hide"></pre>` : ""}
</div></details>`;
}

function schemaOf(answer: unknown): string {
  const schema = record(record(record(answer)["content"])["application/json"])["schema"];
  const isError = text(record(schema)["$ref"]) === "#/components/schemas/Error";
  return schema === undefined || isError ? "" : `<pre>${pretty(schema)}</pre>`;
}

function schemaEntry(name: string, schema: Json): string {
  const description = text(schema["description"]);
  return `<details id="schema-${escape(name)}" data-text="${escape(`${name} ${description}`.toLowerCase())}"><summary><span class="p">${escape(name)}</span><span class="s">${escape(description)}</span></summary><div><pre>${pretty(schema)}</pre></div></details>`;
}

function pretty(value: unknown): string {
  return escape(JSON.stringify(value, null, 2)).replaceAll(
    /#\/components\/schemas\/(\w+)/g,
    '<a href="#schema-$1">$1</a>',
  );
}

function escape(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function record(value: unknown): Json {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
