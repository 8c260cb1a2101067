/** Texts about the results and failures of tasks. */
export const tasksText = {
  retrying: (attempt: number) =>
    `Retrying: attempt ${attempt}. A worker stopped or an outage came in between; nothing is lost.`,
  download: "Download",
  ready: (name: string, size: string) => `${name}, ${size}`,
  wayOut: {
    "CREDITS-ERROR": "Hold the area first: tick the scene and review the price.",
    "IMAGE-TOO-LARGE": "Take a smaller area, or a picture in place of values.",
    "EXTENT-TOO-LARGE": "Take a smaller area.",
    "EXTENT-HAS-NO-INTERSECTION": "Move the area onto the scene.",
    "ZERO-TILES-AVAILABLE": "The map has no pixel there: choose another scene or area.",
    "INVALID-MAP-ID": "The map or its link has ended: make the map again.",
    "DATA-NOT-AVAILABLE": "The provider does not deliver the scene: try later, or choose another.",
    "SCENE-UNREADABLE": "The file is damaged, cut off or no image: write it again.",
    "UNSUPPORTED-IMAGERY": "The scene lacks the bands or the CRS of it: choose another map, or name its bands.",
    "ACQUISITION-TIME-UNKNOWN": "Give the time of the file under Ingest.",
    "GSD-TOO-COARSE": "Choose a scene with smaller pixels.",
    "PIPELINE-CANCELLED": "It was stopped. Start it again where you began it.",
    "PROCESSING-ERROR": "Start it again. If it fails again, send the administrator the code and the time.",
  } as Readonly<Record<string, string>>,
} as const;
