import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import * as fc from "fast-check";
import { canonicalElements } from "@swath/kernel/orbits/element-set";
import { readElementSets, type ReadSets } from "./read-element-sets.ts";
import { LINE_1, LINE_2, OMM, ommOf, ommXml } from "./testing.ts";

function elementsOf({ sets }: ReadSets): readonly string[] {
  return sets.map((one) => (one.kind === "set" ? `${one.set.name} ${canonicalElements(one.set)}` : one.fault));
}

test("the same satellites are read from JSON, XML and keyword-value notation", () => {
  const satellites = [OMM, ommOf(5), ommOf(60_001)];
  const json = readElementSets(JSON.stringify(satellites));
  const kvn = satellites.map((one) => [
    "CCSDS_OMM_VERS = 3.0",
    ...Object.entries(one).map((entry) => entry.join(" = ")),
  ]);
  const notations = [
    ["omm-json", json],
    ["omm-xml", readElementSets(ommXml(satellites))],
    ["omm-kvn", readElementSets(kvn.flat().join("\r\n"))],
  ] as const;
  for (const [format, read] of notations) {
    assert.equal(read.format, format);
    assert.deepEqual(elementsOf(read), elementsOf(json), format);
  }
  assert.equal(readElementSets(JSON.stringify(OMM)).sets.length, 1);
  assert.equal(readElementSets(ommXml([OMM])).sets.length, 1);
});

test("lines are read with and without names, and faults of one set leave the others", () => {
  const text = [
    "# comment",
    "0 SENTINEL-2A",
    LINE_1,
    LINE_2,
    "",
    LINE_1,
    LINE_2,
    "BROKEN",
    LINE_1,
    LINE_2.replace("98", "97"),
    LINE_2,
    "NAME",
    LINE_1,
  ];
  const { format, sets } = readElementSets(text.join("\n"));
  assert.equal(format, "tle");
  assert.deepEqual(
    sets.map((one) => [one.position, one.kind === "set" ? one.set.name : one.fault]),
    [
      ["line 3", "SENTINEL-2A"],
      ["line 6", "40697"],
      ["line 9", "the checksum of line 2 does not hold"],
      ["line 11", `expected line 1 of a set, got "${LINE_2}"`],
      ["line 13", "line 2 of the set is missing"],
    ],
  );
});

test("the example that python3-sgp4 ships is read as its library does", (t) => {
  const path = "/usr/lib/python3/dist-packages/sgp4/sample_omm.xml";
  if (!existsSync(path)) {
    t.skip("python3-sgp4 is not installed");
    return;
  }
  const [set] = readElementSets(readFileSync(path, "utf8")).sets;
  assert.ok(set?.kind === "set");
  const { name, catalogueNumber, inclinationDeg, objectId } = set.set;
  // The tests of that library expect these values.
  assert.deepEqual([name, catalogueNumber, inclinationDeg, objectId], ["VANGUARD 1", 5, 34.2443, "1958-002B"]);
});

test("hostile texts are refused at once", () => {
  const bomb = `<!DOCTYPE x [<!ENTITY a "${"b".repeat(1000)}">]><ndm>${"&a;".repeat(10_000)}</ndm>`;
  for (const [text, message] of [
    [bomb, /document type/],
    ["<ndm>".repeat(10_000), /XML|element|nest|depth/i],
    [`[${"[".repeat(50_000)}`, /is not JSON/],
    ["[]", /holds no element set/],
    [`[${"{},".repeat(3_000)}{}]`, /3001 element sets, expected at most 2000/],
    [" ", /holds no element set/],
  ] as const) {
    const startMs = performance.now();
    assert.throws(() => readElementSets(text), { name: "RangeError", message });
    assert.ok(performance.now() - startMs < 500, text.slice(0, 20));
  }
  for (const value of ["NaN", "Infinity", "1e999", null, {}, []]) {
    const [one] = readElementSets(JSON.stringify([{ ...OMM, MEAN_MOTION: value }])).sets;
    assert.equal(one?.kind, "fault", JSON.stringify(value));
  }
  const [inherited] = readElementSets('{"__proto__": {"BSTAR": 1}, "constructor": {"NORAD_CAT_ID": 5}}').sets;
  assert.equal(inherited?.kind, "fault");
});

test("any text is read or refused by its reason", () => {
  const character = fc.constantFrom(..."{}[]<>/=\"'\\ \n&;12.-eEN".split(""));
  const text = fc.array(character, { maxLength: 200 }).map((characters) => characters.join(""));
  fc.assert(
    fc.property(fc.oneof(text, fc.string(), fc.json()), (one) => {
      try {
        for (const set of readElementSets(one).sets) assert.ok(set.position.length > 0);
      } catch (error) {
        assert.ok(error instanceof RangeError, String(error));
      }
    }),
  );
});
