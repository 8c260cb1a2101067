import assert from "node:assert/strict";
import { test } from "node:test";
import { describeFailure, failureError } from "@swath/base/threads/thread-failure";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { RasterError } from "./raster-error.ts";

test("a reason keeps the error code that the interface answers with, across threads too", () => {
  // The codes of the interface, which clients compare.
  const cases = [
    ["unreadable", "SCENE-UNREADABLE"],
    ["unsupported", "UNSUPPORTED-IMAGERY"],
    ["too-large", "IMAGE-TOO-LARGE"],
    ["bad-document", "BAD-REQUEST"],
    ["missing", "DATA-NOT-AVAILABLE"],
    ["unreachable", "SERVICE-UNAVAILABLE"],
  ] as const;
  for (const [reason, code] of cases) {
    const error = new RasterError(reason, "a.tif: is wrong", { retryAfterS: 3 });
    assert.deepEqual([error.reason, error.code, error.retryAfterS, error.name], [reason, code, 3, "RasterError"]);
    const crossed = failureError(describeFailure(error));
    assert.ok(crossed instanceof ServiceError);
    assert.deepEqual([crossed.code, crossed.message], [code, "a.tif: is wrong"]);
  }
});
