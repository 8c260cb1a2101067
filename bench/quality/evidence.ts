import type { Maturity } from "../../packages/maps/src/maturity.ts";
import { useOf } from "./choices.ts";
import { verdict, type Figure } from "./figure.ts";
import { sourceOf } from "./sources.ts";

/** Whether a figure shows the accuracy of its map type: labelled, real, chosen by no one, and as good as its bar. */
export function validates(figure: Figure): boolean {
  const source = sourceOf(figure.data);
  if (source === null || verdict(figure) !== "met") return false;
  const { kind } = useOf(figure.page, figure.data, source.place);
  return kind === "held-out" || kind === "crossed";
}

/** The best grade that the figures of a page allow. */
export function bestMaturity(figures: readonly Figure[]): Exclude<Maturity, "experimental"> {
  return figures.some(validates) ? "validated" : "self-tested";
}
