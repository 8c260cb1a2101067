import assert from "node:assert/strict";
import { test } from "node:test";
import { createReceiverRules } from "./receiver-rules.ts";

const allowed = (rules: ReturnType<typeof createReceiverRules>, url: string): boolean => rules.allows(new URL(url));

test("public hosts are reached by https alone, private literals and credentials never", () => {
  const rules = createReceiverRules([]);
  assert.ok(allowed(rules, "https://hooks.example.org/a?b=c"));
  assert.ok(allowed(rules, "https://93.184.215.14:8443/"));
  for (const url of [
    "http://hooks.example.org/",
    "https://user:word@hooks.example.org/",
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://[::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://169.254.169.254/latest/meta-data",
    "https://10.1.2.3/",
    "ftp://hooks.example.org/",
  ]) {
    assert.equal(allowed(rules, url), false, url);
  }
});

test("a name that leads to a private address is refused at its address, a listed name is not", () => {
  const rules = createReceiverRules(["hooks.internal"]);
  for (const address of ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fe80::1", "::ffff:192.168.0.1"]) {
    assert.equal(rules.allowsAddress("hooks.example.org", address), false, address);
    assert.equal(rules.allowsAddress("hooks.internal", address), true, address);
  }
  assert.equal(rules.allowsAddress("hooks.example.org", "93.184.215.14"), true);
});

test("a listed host is reached with its scheme and port alone", () => {
  const rules = createReceiverRules(["http://localhost:9000", "https://[::1]:8443"]);
  assert.ok(allowed(rules, "http://localhost:9000/hook"));
  assert.ok(allowed(rules, "https://[::1]:8443/"));
  assert.ok(rules.allowsAddress("::1", "::1"));
  for (const url of ["http://localhost:5432/", "https://localhost/", "https://localhost:9000/", "https://[::1]/"]) {
    assert.equal(allowed(rules, url), false, url);
  }
  assert.throws(() => createReceiverRules(["http://a/b"]), RangeError);
});
