import assert from "node:assert/strict";
import { test } from "node:test";
import { single, writeExposition } from "./exposition.ts";

// The expected texts follow the examples of https://prometheus.io/docs/instrumenting/exposition_formats/.
test("a family is written with help, type and a line for each sample", () => {
  const text = writeExposition([
    {
      name: "http_requests_total",
      help: "The total number of HTTP requests.",
      type: "counter",
      samples: [
        { labels: { method: "post", code: "200" }, value: 1027 },
        { labels: { method: "post", code: "400" }, value: 3 },
      ],
    },
    single("gauge", "up", "Whether it is up.", 1),
  ]);
  assert.equal(
    text,
    `# HELP http_requests_total The total number of HTTP requests.
# TYPE http_requests_total counter
http_requests_total{method="post",code="200"} 1027
http_requests_total{method="post",code="400"} 3
# HELP up Whether it is up.
# TYPE up gauge
up 1
`,
  );
});

test("labels, help and numbers are escaped as the format asks", () => {
  const text = writeExposition([
    {
      name: "m",
      help: "a\\b\nc",
      type: "gauge",
      samples: [
        { labels: { path: 'C:\\DIR\\"FILE"\n' }, value: 1.458255915e9 },
        { labels: {}, value: Infinity },
        { labels: {}, value: -Infinity },
        { labels: {}, value: Number.NaN },
      ],
    },
  ]);
  assert.equal(
    text,
    `# HELP m a\\\\b\\nc\n# TYPE m gauge\nm{path="C:\\\\DIR\\\\\\"FILE\\"\\n"} 1458255915\nm +Inf\nm -Inf\nm NaN\n`,
  );
});
