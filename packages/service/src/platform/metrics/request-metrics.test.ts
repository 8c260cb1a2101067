import assert from "node:assert/strict";
import { test } from "node:test";
import { writeExposition } from "./exposition.ts";
import { createRequestMetrics } from "./request-metrics.ts";

test("requests are counted by operation and status, durations cumulate in buckets", () => {
  const metrics = createRequestMetrics();
  metrics.record("/a", 200, 0.004);
  metrics.record("/a", 200, 0.5);
  metrics.record("/a", 503, 120);
  metrics.record(null, 404, 0.001);
  const text = writeExposition(metrics.families());
  const lines = text.split("\n").filter((line) => line.includes('operation="/a"'));
  assert.deepEqual(lines, [
    'swath_http_requests_total{operation="/a",status="200"} 2',
    'swath_http_requests_total{operation="/a",status="503"} 1',
    'swath_http_request_duration_seconds_bucket{operation="/a",le="0.005"} 1',
    'swath_http_request_duration_seconds_bucket{operation="/a",le="0.025"} 1',
    'swath_http_request_duration_seconds_bucket{operation="/a",le="0.1"} 1',
    'swath_http_request_duration_seconds_bucket{operation="/a",le="0.25"} 1',
    'swath_http_request_duration_seconds_bucket{operation="/a",le="1"} 2',
    'swath_http_request_duration_seconds_bucket{operation="/a",le="2.5"} 2',
    'swath_http_request_duration_seconds_bucket{operation="/a",le="10"} 2',
    'swath_http_request_duration_seconds_bucket{operation="/a",le="60"} 2',
    'swath_http_request_duration_seconds_bucket{operation="/a",le="+Inf"} 3',
    'swath_http_request_duration_seconds_sum{operation="/a"} 120.504',
    'swath_http_request_duration_seconds_count{operation="/a"} 3',
  ]);
  assert.match(text, /^swath_http_requests_total\{operation="none",status="404"\} 1$/mu);
});
