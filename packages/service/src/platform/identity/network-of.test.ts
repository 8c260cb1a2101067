import assert from "node:assert/strict";
import { test } from "node:test";
import { networkOf } from "./network-of.ts";

test("the network of an IPv4 address is the address, also in IPv6 notation", () => {
  assert.equal(networkOf("192.0.2.7"), "192.0.2.7");
  assert.equal(networkOf("::ffff:192.0.2.7"), "192.0.2.7");
});

test("IPv6 addresses of one /64 are one network", () => {
  for (const address of ["2001:db8:0:1::7", "2001:0DB8:0000:0001:aaaa:bbbb:cccc:dddd", "2001:db8:0:1::"]) {
    assert.equal(networkOf(address), "2001:db8:0:1::/64", address);
  }
  assert.equal(networkOf("2001:db8::7"), "2001:db8:0:0::/64");
  assert.equal(networkOf("fe80::1%eth0"), "fe80:0:0:0::/64");
  assert.equal(networkOf("::1"), "0:0:0:0::/64");
});

test("the network of other text is the text", () => {
  assert.equal(networkOf("unix"), "unix");
});
