import { gunzipSync } from "node:zlib";

/** A SKI file as a reader sees it that knows nothing of our code: written from the description of the format alone. */
export interface ReadSki {
  readonly files: readonly string[];
  readonly names: readonly (readonly string[])[];
  readonly version: unknown;
  readonly bands: readonly {
    readonly type: number;
    readonly widthPx: number;
    readonly heightPx: number;
    readonly pixels: readonly number[];
  }[];
  readonly meta: Record<string, unknown>;
}

/** Reads 8-, 16- and 32-bit bands. */
export function readSki(file: Uint8Array): ReadSki {
  const tar = gunzipSync(file);
  const entries = new Map<string, Buffer>();
  for (let at = 0; tar[at] !== 0;) {
    const text = (from: number, length: number): string =>
      tar.toString("latin1", at + from, at + from + length).replace(/[\0 ].*$/s, "");
    const size = Number.parseInt(text(124, 12), 8);
    entries.set(text(0, 100), tar.subarray(at + 512, at + 512 + size));
    at += 512 * (1 + Math.ceil(size / 512));
  }
  const json = (name: string): Record<string, unknown> =>
    JSON.parse(entries.get(name)?.toString() ?? "null") as Record<string, unknown>;
  const info = json("info.json") as { readonly bands: { readonly names: string[] }[]; readonly version: unknown };
  const bands = info.bands.map((_, index) => {
    const data = entries.get(`0000${index}.skb`) ?? Buffer.alloc(0);
    const type = data.readUInt16LE(0);
    const widthPx = data.readUInt32LE(2);
    const heightPx = data.readUInt32LE(6);
    const bits = type & ~1;
    const pixels: number[] = [];
    for (let i = 0; i < widthPx * heightPx; i += 1) {
      const stored = data.readUIntLE(10 + (i * bits) / 8, bits / 8);
      const sum = (stored + (i < widthPx ? 0 : (pixels[i - widthPx] ?? 0)) + 2 ** bits) % 2 ** bits;
      pixels.push((type & 1) === 1 && sum >= 2 ** (bits - 1) ? sum - 2 ** bits : sum);
    }
    return { type, widthPx, heightPx, pixels };
  });
  return {
    files: [...entries.keys()],
    names: info.bands.map(({ names }) => names),
    version: info.version,
    bands,
    meta: json("meta.json"),
  };
}
