/** Texts of the public page of a map. */
export const publicText = {
  loading: "The map is loading",
  map: "Map. Arrow keys move it, plus and minus zoom.",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  whole: "Show the whole map",
  utc: "UTC",
  to: "to",
  legend: "Legend",
  ended: "This map is not available",
  endedWhy: "Its link has ended or was revoked. Whoever sent it can make another.",
  noAnswer: "The service does not answer",
  noAnswerWhy: "The map is still there. Look again in a moment.",
  again: "Look again",
  details: "Words of the service",
} as const;
