/** How a layer is drawn otherwise than its map type would. */
export type Drawing =
  | { readonly kind: "limits"; readonly low: number; readonly high: number }
  | { readonly kind: "percentiles" }
  | { readonly kind: "threshold"; readonly value: number }
  | { readonly kind: "classes"; readonly classification: string };

const NUMBER = /^-?\d{1,13}(?:\.\d{1,12})?$/;
const DIGITS = 6;
/** The longest text of the contract. */
const MAX_CLASSIFICATION = 4_096;

/** Returns the query of the tiles, without the question mark: the parameters that any program sends. */
export function formatDrawing(drawing: Drawing): string {
  return new URLSearchParams(parameterOf(drawing)).toString();
}

function parameterOf(drawing: Drawing): Readonly<Record<string, string>> {
  if (drawing.kind === "limits") return { stretch: `${drawing.low},${drawing.high}` };
  if (drawing.kind === "percentiles") return { percentile_stretch: "true" };
  if (drawing.kind === "threshold") return { user_threshold: String(drawing.value) };
  return { classification: drawing.classification };
}

/** Reads what `formatDrawing` writes; null for anything else. */
export function parseDrawing(text: string): Drawing | null {
  const [entry, ...others] = new URLSearchParams(text);
  if (entry === undefined || others.length > 0) return null;
  const [name, value] = entry;
  if (name === "percentile_stretch") return value === "true" ? { kind: "percentiles" } : null;
  if (name === "user_threshold") return NUMBER.test(value) ? { kind: "threshold", value: Number(value) } : null;
  if (name === "classification") {
    return value !== "" && value.length <= MAX_CLASSIFICATION ? { kind: "classes", classification: value } : null;
  }
  if (name !== "stretch") return null;
  const [low = "", high = "", ...rest] = value.split(",");
  if (!NUMBER.test(low) || !NUMBER.test(high) || rest.length > 0 || Number(low) >= Number(high)) return null;
  return { kind: "limits", low: Number(low), high: Number(high) };
}

/** A limit as the link and the service write it: never with an exponent. */
export function limitOf(value: number): number {
  return Number(value.toFixed(DIGITS));
}
