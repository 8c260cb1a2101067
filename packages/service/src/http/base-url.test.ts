import assert from "node:assert/strict";
import { test } from "node:test";
import { baseUrlOf } from "./base-url.ts";

const CONFIG = { publicUrl: null, listensOn: "0.0.0.0" };

const linkFor = (host: string, localAddress = "192.168.1.5", config: Parameters<typeof baseUrlOf>[1] = CONFIG) =>
  baseUrlOf({ scheme: "http", host, localAddress, localPort: 8080 }, config);

test("names of the loopback interface are believed, with any port", () => {
  for (const host of ["localhost:8080", "LOCALHOST", "127.0.0.1:9000", "127.1.2.3", "[::1]:8080"]) {
    assert.equal(linkFor(host, "172.17.0.2"), `http://${host}`);
  }
});

test("the address at which the connection arrived is believed, in IPv4, mapped and IPv6 form", () => {
  assert.equal(linkFor("192.168.1.5:8080"), "http://192.168.1.5:8080");
  assert.equal(linkFor("192.168.1.5:8080", "::ffff:192.168.1.5"), "http://192.168.1.5:8080");
  assert.equal(linkFor("[FD00::7]:8080", "fd00::7"), "http://[FD00::7]:8080");
});

test("the configured listening address is believed", () => {
  const config = { publicUrl: null, listensOn: "imagery.lan" };
  assert.equal(linkFor("imagery.lan:8080", "10.0.0.3", config), "http://imagery.lan:8080");
});

test("every other Host is replaced by the address at which the connection arrived", () => {
  for (const host of [
    "evil.example",
    "evil.example:8080",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "127.evil.example",
    "192.168.1.6",
    "[::2]",
    'evil"/><script>',
    "evil.example@192.168.1.5",
    "",
  ]) {
    assert.equal(linkFor(host), "http://192.168.1.5:8080", host);
    assert.equal(linkFor(host, "fd00::7"), "http://[fd00::7]:8080", host);
  }
});

test("the public URL is used whatever Host says", () => {
  const config = { publicUrl: "https://imagery.example", listensOn: "0.0.0.0" };
  for (const host of ["evil.example", "localhost"]) assert.equal(linkFor(host, "10.0.0.3", config), config.publicUrl);
});
