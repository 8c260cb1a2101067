import assert from "node:assert/strict";
import { test } from "node:test";
import { RasterError } from "../raster-error.ts";
import { createHostRules, displayUrl, hostMatches, isPrivateAddress } from "./host-rules.ts";

const rules = createHostRules({
  hosts: ["example.com", "*.blob.core.windows.net", "http://127.0.0.1:8123", "https://[::1]:8443", "data.internal"],
  privateHosts: ["data.internal"],
});

test("listed hosts are allowed by https, with http and other ports only where that is written", () => {
  const allowed = [
    "https://example.com/a?b=c",
    "https://EXAMPLE.com./",
    "https://a.blob.core.windows.net/x",
    "https://a.b.blob.core.windows.net/x",
    "http://127.0.0.1:8123/",
    "https://[::1]:8443/",
  ];
  const refused = [
    "http://example.com/",
    "https://example.com:8443/",
    "https://evil-example.com/",
    "https://example.com.evil.org/",
    "https://blob.core.windows.net/",
    "https://127.0.0.1:8123/",
    "http://127.0.0.1/",
    "http://2130706433:8124/",
    "file:///etc/passwd",
    "ftp://example.com/",
    "https://user:secret@example.com/",
  ];
  for (const url of allowed) assert.equal(rules.allows(new URL(url)), true, url);
  for (const url of refused) assert.equal(rules.allows(new URL(url)), false, url);
});

test("a refusal names the address without its query", () => {
  assert.throws(
    () => rules.check(new URL("https://evil.org/a?sig=secret")),
    (error) =>
      error instanceof RasterError &&
      error.reason === "unreachable" &&
      error.message.includes("https://evil.org/a") &&
      !error.message.includes("secret"),
  );
  assert.equal(displayUrl(new URL("https://a.b/c?token=secret#x")), "https://a.b/c");
});

test("addresses that are not of the public internet are known in every spelling", () => {
  const inside = [
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fd00::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "no address",
  ];
  for (const address of inside) assert.equal(isPrivateAddress(address), true, address);
  for (const address of ["8.8.8.8", "172.32.0.1", "2606:4700::1111", "::ffff:8.8.8.8"]) {
    assert.equal(isPrivateAddress(address), false, address);
  }
});

test("a name may lead into a private network only when it is listed for that", () => {
  assert.equal(rules.allowsAddress("example.com", "93.184.216.34"), true);
  assert.equal(rules.allowsAddress("example.com", "10.0.0.1"), false);
  assert.equal(rules.allowsAddress("data.internal", "10.0.0.1"), true);
  assert.equal(rules.allowsAddress("127.0.0.1", "127.0.0.1"), true);
  assert.equal(rules.allowsAddress("127.0.0.2", "127.0.0.2"), false);
});

test("lists of hosts hold hosts and nothing else", () => {
  for (const entry of ["example.com/path", "", "https://", "a b", "user@example.com", "x?y"]) {
    assert.throws(() => createHostRules({ hosts: [entry] }), RangeError, entry);
  }
  assert.equal(hostMatches("*.example.com", new URL("https://a.example.com/")), true);
  assert.equal(hostMatches("*.example.com", new URL("https://example.com/")), false);
});
