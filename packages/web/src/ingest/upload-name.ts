/** Name and suffix under which the service takes a file. */
export interface UploadName {
  /** `[a-z0-9_-]+`, at most 128 characters. */
  readonly filename: string;
  readonly uploadSuffix: ".geotiff" | ".zip";
}

const SUFFIXES = { tif: ".geotiff", tiff: ".geotiff", geotiff: ".geotiff", gtiff: ".geotiff", zip: ".zip" } as const;
const MAX_CHARACTERS = 128;

/** Reads the kind of a file from its name; null for a file that is no imagery. */
export function uploadName(fileName: string): UploadName | null {
  const [, stem = "", suffix = ""] = /^(.*)\.([^.]*)$/su.exec(fileName) ?? [];
  const known = suffix.toLowerCase();
  if (!isSuffix(known)) return null;
  const filename = stem
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .replaceAll(/[^a-z0-9_-]+/g, "-")
    .slice(0, MAX_CHARACTERS);
  return { filename: /[a-z0-9]/.test(filename) ? filename : "file", uploadSuffix: SUFFIXES[known] };
}

function isSuffix(text: string): text is keyof typeof SUFFIXES {
  return Object.hasOwn(SUFFIXES, text);
}
