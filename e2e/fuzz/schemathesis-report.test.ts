import assert from "node:assert/strict";
import { test } from "node:test";
import { failsItselfAlone, faultsIn } from "./schemathesis-report.ts";

const rule = (title: string): string => `${"=".repeat(20)} ${title} ${"=".repeat(20)}`;
const operation = (name: string): string => `${"_".repeat(20)} ${name} ${"_".repeat(20)}`;
const PYTHON = "SystemError: AST constructor recursion depth mismatch (before=135, after=133)";
const START = `Schemathesis\n${rule("Schemathesis test session starts")}`;
const SUMMARY = `${rule("SUMMARY")}\n1 errored`;

const report = (...parts: readonly string[]): string => [START, ...parts, SUMMARY].join("\n");

test("operations at which Python alone failed are counted", () => {
  const errors = [rule("ERRORS"), operation("POST /a"), PYTHON, operation("POST /b"), PYTHON];
  assert.equal(failsItselfAlone(report(...errors)), 2);
});

test("another error, or a failure of the service, is not put down to Python", () => {
  const errors = [rule("ERRORS"), operation("POST /a"), PYTHON, operation("POST /b"), "Network Error"];
  assert.equal(failsItselfAlone(report(...errors)), 0);
  const failures = [rule("ERRORS"), operation("POST /a"), PYTHON, rule("FAILURES"), operation("POST /b"), "500"];
  assert.equal(failsItselfAlone(report(...failures)), 0);
  assert.equal(failsItselfAlone(report()), 0);
});

test("faults are shown without the start of the report and without its warnings", () => {
  const failures = [rule("FAILURES"), operation("POST /b"), "Server error", rule("WARNINGS"), "Missing test data"];
  const shown = faultsIn(report(...failures));
  assert.match(shown, /Server error/);
  assert.doesNotMatch(shown, /session starts|Missing test data/);
});
