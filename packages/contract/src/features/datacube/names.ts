/**
 * Patterns of the names of a datacube. Projects and algorithms are segments of permissions and hold no dot. They are
 * ASCII, so their order is the same everywhere.
 */
export const DATACUBE_NAMES = {
  project: "^[a-z0-9][a-z0-9_-]{0,63}$",
  algorithm: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$",
  source: "^[A-Za-z0-9][A-Za-z0-9._/-]{0,127}$",
  aoiId: "^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$",
  version: "^[A-Za-z0-9][A-Za-z0-9._:+-]{0,63}$",
} as const;
