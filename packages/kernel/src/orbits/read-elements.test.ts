import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { canonicalElements, propagatorOfElementSet } from "./element-set.ts";
import { keywordsOfKvn, readOmm } from "./read-omm.ts";
import { readTle } from "./read-tle.ts";
import { propagatorOfTle } from "./sgp4.ts";

const LINE_1 = "1 40697U 15028A   26274.29857647 -.00000002  00000+0  15863-4 0  9990";
const LINE_2 = "2 40697  98.5653 347.6046 0001070  85.9280 274.2026 14.30818852588907";
/** The same elements as a message. */
const OMM = {
  OBJECT_NAME: "SENTINEL-2A",
  OBJECT_ID: "2015-028A",
  CENTER_NAME: "EARTH",
  REF_FRAME: "TEME",
  TIME_SYSTEM: "UTC",
  MEAN_ELEMENT_THEORY: "SGP4",
  EPOCH: "2026-10-01T07:09:57.007008",
  MEAN_MOTION: 14.308_188_52,
  ECCENTRICITY: 0.000_107,
  INCLINATION: 98.5653,
  RA_OF_ASC_NODE: 347.6046,
  ARG_OF_PERICENTER: 85.928,
  MEAN_ANOMALY: 274.2026,
  EPHEMERIS_TYPE: 0,
  NORAD_CAT_ID: 40_697,
  BSTAR: 0.000_015_863,
  MEAN_MOTION_DOT: -2e-8,
  MEAN_MOTION_DDOT: 0,
};
const KVN = `CCSDS_OMM_VERS = 3.0
COMMENT of a test
${Object.entries(OMM)
  .map(([keyword, value]) => `${keyword} = ${value}`)
  .join("\n")
  .replace("INCLINATION = 98.5653", "INCLINATION = 98.5653 [deg]")}
`;

test("lines, numbers, texts and keyword-value notation have the same elements", () => {
  const ofLines = readTle(LINE_1, LINE_2, "SENTINEL-2A");
  assert.deepEqual([ofLines.catalogueNumber, ofLines.objectId, ofLines.name], [40_697, "2015-028A", "SENTINEL-2A"]);
  const ofNumbers = readOmm(OMM);
  const ofTexts = readOmm(Object.fromEntries(Object.entries(OMM).map(([key, value]) => [key, String(value)])));
  const [keywords = {}, ...none] = keywordsOfKvn(KVN);
  assert.deepEqual(none, []);
  const ofKvn = readOmm(keywords);
  assert.equal(canonicalElements(ofTexts), canonicalElements(ofNumbers));
  assert.equal(canonicalElements(ofKvn), canonicalElements(ofNumbers));
  assert.ok(Math.abs(ofLines.epochMs - ofNumbers.epochMs) < 0.001, `${ofLines.epochMs - ofNumbers.epochMs} ms`);
  assert.deepEqual({ ...ofLines, epochMs: 0 }, { ...ofNumbers, epochMs: 0 });
});

test("elements of a message fly where those of the lines do, to a metre", () => {
  const [lines, message] = [propagatorOfTle(LINE_1, LINE_2), propagatorOfElementSet(readOmm(OMM))];
  for (let day = -10; day <= 40; day += 5) {
    const timeMs = Date.parse("2026-10-01T00:00:00Z") + day * 86_400_000;
    const [a, b] = [lines(timeMs).positionM, message(timeMs).positionM];
    assert.ok(Math.hypot(...a.map((value, axis) => value - b[axis])) < 1, `day ${day}`);
  }
});

/** The line with its last digit put right. */
function summed(line: string): string {
  let sum = 0;
  for (const character of line.slice(0, 68)) sum += character === "-" ? 1 : Number(character) || 0;
  return line.slice(0, 68) + String(sum % 10);
}

function numberReadOf(field: string): number {
  return readTle(summed(LINE_1.replace("40697", field)), summed(LINE_2.replace("40697", field))).catalogueNumber;
}

test("catalogue numbers beyond 99999 are read from lines with a letter", () => {
  const numbers = ["A0000", "J2931", "Z9999", "    5"].map(numberReadOf);
  assert.deepEqual(numbers, [100_000, 182_931, 339_999, 5]);
  assert.throws(() => numberReadOf("I0000"), /no catalogue number/);
});

test("faults of lines are named", () => {
  for (const [line1, line2, message] of [
    ["", LINE_2, /line 1 begins with ""/],
    [LINE_2, LINE_1, /line 1 begins with "2 "/],
    [LINE_1, `${LINE_2} `, /line 2 has 70 characters/],
    [LINE_1, LINE_2.replace("98.5653", "97.5653"), /checksum of line 2/],
    [LINE_1, "2 40698  98.5653 347.6046 0001070  85.9280 274.2026 14.30818852588908", /40697 and 40698/],
    [LINE_1, "2 40697  98.5653 347.6046 0001070  85.9280 274.2026         NaN588901", /checksum|mean motion/],
  ] as const) {
    assert.throws(() => readTle(line1, line2), { name: "RangeError", message });
  }
});

test("faults of messages name the keyword, the value and the value expected", () => {
  for (const [changed, message] of [
    [{ MEAN_MOTION: "NaN" }, /MEAN_MOTION is "NaN", expected a number/],
    [{ MEAN_MOTION: Number.NaN }, /MEAN_MOTION is "NaN"/],
    [{ ECCENTRICITY: "Infinity" }, /ECCENTRICITY is "Infinity"/],
    [{ ECCENTRICITY: 1.5 }, /eccentricity is 1.5, expected 0 to 0.999/],
    [{ INCLINATION: "" }, /INCLINATION is missing/],
    [{ INCLINATION: { toString: "x" } }, /INCLINATION is neither a text nor a number/],
    [{ EPOCH: "2026-02-30T00:00:00" }, /EPOCH is "2026-02-30T00:00:00"/],
    [{ EPOCH: "yesterday" }, /EPOCH is "yesterday", expected an ISO 8601 time/],
    [{ NORAD_CAT_ID: 1.5 }, /catalogue number is 1.5/],
    [{ REF_FRAME: "ITRF" }, /REF_FRAME is "ITRF", expected TEME/],
    [{ EPHEMERIS_TYPE: 4 }, /EPHEMERIS_TYPE is "4", expected 0/],
    [{ OBJECT_NAME: "x".repeat(101) }, /longer than 100 characters/],
  ] as const) {
    assert.throws(() => readOmm({ ...OMM, ...changed }), { name: "RangeError", message });
  }
  assert.equal(readOmm({ ...OMM, EPOCH: "2026-274T07:09:57.007008" }).epochMs, readOmm(OMM).epochMs);
  assert.throws(() => keywordsOfKvn("EPOCH = 2026"), /line 1 comes before CCSDS_OMM_VERS/);
  assert.throws(() => keywordsOfKvn("CCSDS_OMM_VERS = 3.0\nnot a keyword"), /line 2 is "not a keyword"/);
});

test("whatever a file holds, it is an element set that flies or a fault", () => {
  const values = fc.oneof(fc.string(), fc.double(), fc.constant(null), fc.object());
  const keyword = fc.constantFrom(...Object.keys(OMM));
  fc.assert(
    fc.property(fc.dictionary(keyword, values), (changed) => {
      try {
        const set = readOmm({ ...OMM, ...changed });
        assert.ok(Object.values(set).every((value) => typeof value === "string" || Number.isFinite(value)));
        propagatorOfElementSet(set);
      } catch (error) {
        assert.ok(error instanceof RangeError, String(error));
      }
    }),
  );
  const character = fc.constantFrom(..."0123456789 .-+eNaI".split(""));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 68 }), character, (at, one) => {
      const changed = LINE_2.slice(0, at) + one + LINE_2.slice(at + 1);
      if (changed === LINE_2) return;
      try {
        readTle(LINE_1, changed);
      } catch (error) {
        assert.ok(error instanceof RangeError, String(error));
      }
    }),
  );
});
