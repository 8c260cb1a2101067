import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import * as fc from "fast-check";

/** A body and the headers that describe it. */
export interface EncodedBody {
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

const JSON_TYPE = { "content-type": "application/json" };

const TYPES = [
  "",
  "text/plain",
  "application/xml",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/geo+json",
  "application/json; charset=utf-16",
  "application/json;charset=\u00FF",
  "application/json, text/html",
  "a/b/c",
  ";",
  `application/${"x".repeat(4000)}`,
];

/** Numbers and words that JSON has, or nearly has, and JavaScript reads in its own way. */
const LITERALS = [
  "1e999",
  "-1e999",
  "-0",
  "0.1e-400",
  "1".repeat(400),
  "01",
  "+1",
  "0x10",
  "NaN",
  "Infinity",
  "1_000",
  ".5",
  "5.",
  '"\\ud800"',
  '"\\u0000"',
  '"\\x00"',
  '"\t"',
];

/** Decompressed size of a body that grows on the way in. */
const BOMB_BYTES = 48 * 1024 * 1024;

function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? "";
}

const plain = (value: unknown): EncodedBody => ({ bytes: Buffer.from(jsonOf(value)), headers: JSON_TYPE });

/** Bytes of a JSON text with one fault. `index` chooses its place. */
function damaged(text: string, kind: number, index: number): Uint8Array {
  const bytes = Buffer.from(text);
  const at = index % Math.max(1, bytes.length);
  switch (kind) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.from(bytes.map((byte, i) => (i === at ? byte ^ (1 << (index % 8)) : byte)));
    case 2:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
    case 3:
      return Buffer.concat([bytes, bytes]);
    case 4:
      return Buffer.from(text, "utf16le");
    case 5:
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80]),
        bytes.subarray(at),
      ]);
    case 6:
      return Buffer.from(text.replaceAll('"', "'"));
    case 7:
      return Buffer.from(text.replace("{", '{"__proto__":{"a":1},"a":1,"a":2,'));
    default: {
      let left = index % Math.max(1, text.match(/-?\d[\d.e+-]*/g)?.length ?? 1);
      const literal = LITERALS[index % LITERALS.length] ?? "";
      return Buffer.from(text.replaceAll(/-?\d[\d.e+-]*/g, (number) => (left-- === 0 ? literal : number)));
    }
  }
}

/** A body as large as the operation takes, or one byte larger: its longest list or text is repeated. */
function grown(value: unknown, limitBytes: number, over: boolean): EncodedBody {
  const text = jsonOf(value);
  const wanted = limitBytes + (over ? 1 : 0) - text.length - 16;
  const list = /\[([^[\]]{1,2000})\]/.exec(text);
  let filled: string;
  if (list?.[1] !== undefined) {
    const item = `,${list[1]}`;
    filled = text.replace(list[0], `[${list[1]}${item.repeat(Math.max(0, Math.floor(wanted / item.length)))}]`);
  } else {
    filled = text.replace(/^\{/, () => `{"padding":"${"x".repeat(Math.max(0, wanted))}"${text === "{}" ? "" : ","}`);
  }
  return { bytes: Buffer.from(filled.padEnd(limitBytes + (over ? 1 : 0), " ")), headers: JSON_TYPE };
}

function compressed(bytes: Uint8Array, encoding: string, cut: boolean): EncodedBody {
  const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
  const packed =
    encoding === "br"
      ? brotliCompressSync(bytes, fast)
      : encoding === "deflate"
        ? deflateSync(bytes)
        : gzipSync(bytes, { level: 1 });
  return {
    bytes: cut ? packed.subarray(0, Math.floor(packed.length / 2)) : packed,
    headers: { ...JSON_TYPE, "content-encoding": encoding },
  };
}

/** Bodies of the values: most as JSON, some broken, compressed, wrongly labelled or as large as the limit. */
export function encodedBodies(values: fc.Arbitrary<unknown>, limitBytes: number): fc.Arbitrary<EncodedBody> {
  const index = fc.nat({ max: 1_000_000 });
  return fc.oneof(
    { weight: 200, arbitrary: values.map(plain) },
    {
      weight: 20,
      arbitrary: fc
        .tuple(values, fc.nat({ max: 12 }), index)
        .map(([value, kind, place]) => ({ bytes: damaged(jsonOf(value), kind, place), headers: JSON_TYPE })),
    },
    {
      weight: 6,
      arbitrary: fc
        .tuple(values, fc.constantFrom(...TYPES))
        .map(([value, type]) => ({ bytes: Buffer.from(jsonOf(value)), headers: { "content-type": type } })),
    },
    {
      weight: 6,
      arbitrary: fc
        .tuple(values, fc.constantFrom("gzip", "br", "deflate", "zstd", "gzip, gzip", "identity", "x"), fc.boolean())
        .map(([value, encoding, cut]) => compressed(Buffer.from(jsonOf(value)), encoding, cut)),
    },
    { weight: 1, arbitrary: fc.tuple(values, fc.boolean()).map(([value, over]) => grown(value, limitBytes, over)) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom<readonly [string, string]>(["gzip", " "], ["br", "["], ["gzip", "0"])
        .map(([encoding, filling]) => bomb(encoding, filling)),
    },
  );
}

const bombs = new Map<string, EncodedBody>();

function bomb(encoding: string, filling: string): EncodedBody {
  const key = `${encoding}${filling}`;
  const known = bombs.get(key) ?? compressed(Buffer.alloc(BOMB_BYTES, filling), encoding, false);
  bombs.set(key, known);
  return known;
}
