import * as fc from "fast-check";
import type { Schema } from "../example-request.ts";
import { featureQuery } from "./feature-queries.ts";
import { instantText } from "./hostile-texts.ts";
import { pipelineName, type KnownValues } from "./known-values.ts";

/** Values of members that their name says more about than their schema; null: the schema decides. */
export type MemberValues = (name: string, schema: Schema) => fc.Arbitrary<unknown> | null;

const CLASSIFICATIONS = [
  "bare:-1:0.2:#b0903c;green:0.2::#1a9641",
  "a::::",
  "a:1e999:-1e999:#000000",
  "a:0:1:#gggggg",
  "a:b,c:#123456",
  ":::;;;\n\n",
  "__proto__:0:1:#ffffff",
  "x:0:1:#ffffff;".repeat(290),
];

const FILTERS = [
  "confidence gte 0.8",
  "confidence in 1,2,3",
  "confidence eq NaN",
  "__proto__ eq 1",
  "a b c d",
  "a gt",
  "length lt 1e999;length gt -1e999",
  " ; ; ",
];

const INDEX_TYPES = [
  "ndvi",
  "imagery",
  "evi",
  "index:ndvi",
  "index:savi:L=0.5",
  "index:savi:L=1e999",
  "index:savi:L=-0",
  "index:savi:__proto__=1",
  "index::",
  "index:ndvi:N=1,N=2",
  "expression:(N-R)/(N+R)",
  "expression:where(N>R,1/N,0)?ramp=heat&min=0&max=9",
  "expression:__proto__+N",
  "expression:N**1e999",
  "expression:((((N",
];

const FILES = [
  "imagery.png",
  "truecolor.png",
  "visualization.webp",
  "metadata.json",
  "area.json",
  "detections.geojson",
  "value.geotiff",
  "visualization.geotiff",
  "a.ski",
  "../x.png",
  "%2e%2e",
];

const WORDS: Readonly<Record<string, readonly unknown[]>> = {
  classification: CLASSIFICATIONS,
  detection_filters: FILTERS,
  mapType: INDEX_TYPES,
  file_name: FILES,
  geometry_id: ["-", "", "0", "..", "x".repeat(128)],
  collection: ["fuzz", "a:b", "__proto__", "constructor"],
  uploadSuffix: [".geotiff", ".zip"],
  size: [1, 100, 1e6],
  email: ["a@b.c", "fuzz@example.org", "a@b.c.".padEnd(254, "d"), "ÄÖ@ü.é", "%@%.%", "a@b.c\u007F"],
  password: ["12345678", "x".repeat(256), "\u{1F600}".repeat(8), "correct horse battery staple"],
  permissions: [["imagery"], ["imagery.scene-info", "mapsvc"], ["admin"], ["__proto__"]],
  extraPermissions: [["imagery"], [], ["constructor.prototype"]],
  groups: [[]],
  applicationLanguage: ["en", "de-AT", "x-y-z"],
  uploadId: ["0123456789abcdefghijkl"],
  fileName: ["map.zip", "report.pdf", "a.b.c", ".."],
  z: [0, 1, 14, 15, 30],
  x: [0, 1, 8875, 17750, 2 ** 30 - 1],
  y: [0, 1, 8151, 16302, 2 ** 30 - 1],
  waitSeconds: [0, 0.001, 0.5],
  limit: [1, 2, 3],
  _limit: [1, 2, 3],
  windowSizeHours: [1, 24],
  _sort: [["length"], ["-a.b", "collection", "id"], ["-"], ["a", "a"]],
  _fields: [["geometry"], ["a.b.c"], ["__proto__"]],
  property: ["length", "a.b", "collection", "geometry", "constructor"],
  metadata: [{}, { datetime: "2024-06-01T00:00:00Z", cloudCover: 0.1 }, { type: "Feature" }, { bands: [null] }],
};

/** Other names under which a known value is asked for. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  scene_id: ["sceneId"],
  map_id: ["mapId"],
  accounting: ["groupId"],
  taskingAccounting: ["groupId"],
  actor: ["userId"],
  target: ["userId", "groupId"],
  geometry_id: ["subGeometryId"],
  id: ["id", "featureId", "keyId", "ruleId", "geometryId"],
  groups: ["groupId"],
  managerOf: ["groupId"],
  scenes: ["sceneGroup"],
  mapIds: ["mapId"],
  maps: ["mapId"],
};

/** Values by name: known identifiers, words of the language of a member, queries, moments. */
export function memberValues(known: KnownValues, path: string): MemberValues {
  return (name, schema) => {
    const list = schema["type"] === "array";
    const single = list ? name.replace(/s$/, "") : name;
    const choices: fc.WeightedArbitrary<unknown>[] = [];
    const ofPath = name === "pipelineId" ? pipelineName(path) : "";
    const names = known.has(ofPath) ? [ofPath] : [single, ...(ALIASES[name] ?? [])];
    if (names.some((one) => known.has(one))) {
      const chosen = fc
        .tuple(fc.constantFrom(...names.filter((one) => known.has(one))), fc.nat({ max: 1000 }))
        .map(([one, index]) => known.pick(one, index));
      choices.push({ weight: 6, arbitrary: list ? lists(chosen, schema) : chosen });
    }
    if (name === "cursor" && schema["type"] === "integer" && known.has("integerCursor")) {
      choices.push({ weight: 3, arbitrary: fc.nat({ max: 100 }).map((index) => known.pick("integerCursor", index)) });
    }
    const words = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined;
    if (words !== undefined) choices.push({ weight: 4, arbitrary: fc.constantFrom(...words) });
    if (single === "mapType" && list) {
      choices.push({ weight: 4, arbitrary: fc.array(fc.constantFrom(...INDEX_TYPES), { minLength: 1, maxLength: 2 }) });
    }
    if (name === "datasets") {
      const pair = fc.nat({ max: 1000 }).map((index) => known.pick("datasetPair", index));
      choices.push({ weight: 9, arbitrary: fc.array(pair, { minLength: 1, maxLength: 2 }) });
    }
    if (name === "query") choices.push({ weight: 9, arbitrary: featureQuery });
    if (/(?:[dD]atetime|^from|^to|Time|License|Until|From|Start|End)$/.test(name) && schema["type"] !== "array") {
      choices.push({ weight: 4, arbitrary: instantText });
    }
    return choices.length === 0 ? null : fc.oneof(...choices);
  };
}

function lists(items: fc.Arbitrary<unknown>, schema: Schema): fc.Arbitrary<unknown> {
  const lengths = { minLength: 1, maxLength: 3 };
  return schema["uniqueItems"] === true ? fc.uniqueArray(items, lengths) : fc.array(items, lengths);
}
