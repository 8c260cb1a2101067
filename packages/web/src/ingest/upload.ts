import type { UploadResult } from "@swath/client";

export type IngestedScene = UploadResult["ingestedScenes"][number];

/** The state of a file on its way. */
export type UploadPhase =
  | { readonly kind: "waiting" }
  | { readonly kind: "sending" }
  /** The network is away; it is tried again. */
  | { readonly kind: "cut" }
  | { readonly kind: "paused" }
  /** After a reload the page cannot read the file until the user chooses it again. */
  | { readonly kind: "file-needed" }
  | { readonly kind: "reading"; readonly message: string | null; readonly step: number }
  | { readonly kind: "time-needed" }
  | { readonly kind: "done"; readonly scenes: readonly IngestedScene[] }
  | { readonly kind: "failed"; readonly code: string | null; readonly message: string };

/** A file on its way to a scene. */
export interface Upload {
  /** Name, size and time of change: the same file again is the same upload. */
  readonly key: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly sentBytes: number;
  readonly phase: UploadPhase;
}
