import { unsupported } from "../limits.ts";

export type CodecName = "none" | "LZW" | "JPEG" | "DEFLATE" | "PackBits" | "LERC" | "Zstandard" | "WebP";

export interface Codec {
  readonly name: CodecName;
  /** Whether the Predictor tag applies. */
  readonly predicts: boolean;
  /** Whether decoded samples are in the machine's byte order whatever the file's. */
  readonly nativeEndian: boolean;
}

const CODECS: Readonly<Record<number, Codec>> = {
  1: { name: "none", predicts: false, nativeEndian: false },
  5: { name: "LZW", predicts: true, nativeEndian: false },
  7: { name: "JPEG", predicts: false, nativeEndian: true },
  8: { name: "DEFLATE", predicts: true, nativeEndian: false },
  32_773: { name: "PackBits", predicts: false, nativeEndian: false },
  32_946: { name: "DEFLATE", predicts: true, nativeEndian: false },
  // libtiff, the only writer, swaps the samples of big-endian files before it encodes them.
  34_887: { name: "LERC", predicts: false, nativeEndian: false },
  50_000: { name: "Zstandard", predicts: true, nativeEndian: false },
  50_001: { name: "WebP", predicts: false, nativeEndian: true },
};

const UNSUPPORTED_NAMES: Readonly<Record<number, string>> = {
  2: "CCITT run-length",
  3: "CCITT group 3 fax",
  4: "CCITT group 4 fax",
  6: "old-style JPEG",
  32_809: "ThunderScan",
  33_003: "JPEG 2000",
  33_005: "JPEG 2000",
  34_661: "JBIG",
  34_712: "JPEG 2000",
  34_925: "LZMA",
  50_002: "JPEG XL",
  52_546: "JPEG XL",
};

/** @throws {RasterError} unsupported */
export function codecOf(compression: number, name: string): Codec {
  const codec = CODECS[compression];
  if (codec !== undefined) return codec;
  const known = UNSUPPORTED_NAMES[compression];
  throw unsupported(
    name,
    `is compressed with ${known ?? "an unknown method"} (TIFF compression ${compression}), expected none, LZW, DEFLATE, Zstandard, PackBits, JPEG, WebP or LERC`,
  );
}
