/** Texts of the page of a published folder. */
export const publishedText = {
  loading: "The maps are loading",
  failed: "The maps cannot be read",
  failedWhy: "The folder lacks a file, or its web server does not answer.",
  details: "Words of the browser",
  picture: "Picture",
  objects: "Objects",
  noPicture: "No picture",
  countOf: (count: number) => (count === 1 ? "1 object" : `${count} objects`),
  unreadable: (name: string) => `${name} cannot be read.`,
  chosen: "Chosen object",
  confidence: "Confidence",
  areaM2: "Area, m²",
} as const;
