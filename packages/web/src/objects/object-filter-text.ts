import { meetsObjectFilters, parseObjectFilters, type ObjectFilter } from "@swath/kernel/query/object-filter";
import type { MapObject } from "./map-object.ts";

/** The filter that the link holds is the text of the service's `detection_filters`. */
export type ParsedFilter =
  | { readonly kind: "filters"; readonly filters: readonly ObjectFilter[] }
  | { readonly kind: "unreadable"; readonly problem: string };

const CLASS = "class";
const CONFIDENCE = "confidence";

class FilterProblem extends Error {}

export function parseFilterText(text: string): ParsedFilter {
  try {
    const filters = parseObjectFilters(text, (message) => {
      throw new FilterProblem(message);
    });
    return { kind: "filters", filters };
  } catch (error) {
    if (!(error instanceof FilterProblem)) throw error;
    return { kind: "unreadable", problem: error.message };
  }
}

export function filterObjects(objects: readonly MapObject[], filters: readonly ObjectFilter[]): readonly MapObject[] {
  if (filters.length === 0) return objects;
  return objects.filter(({ properties }) => meetsObjectFilters(filters, properties));
}

/** Whether a filter can name a class: its items are divided by spaces, its lists by commas. */
export function isNameable(className: string): boolean {
  return className !== "" && !/[\s,]/u.test(className);
}

export interface ClassCount {
  readonly className: string;
  /** Objects of the class that meet the conditions on other properties. */
  readonly count: number;
  readonly isWanted: boolean;
}

/** Returns all classes, the most numerous first. */
export function countClasses(objects: readonly MapObject[], filters: readonly ObjectFilter[]): readonly ClassCount[] {
  const others = filters.filter(({ property }) => property !== CLASS);
  const ofClass = filters.filter(({ property }) => property === CLASS);
  const counts = new Map<string, number>();
  for (const { className, properties } of objects) {
    const meets = meetsObjectFilters(others, properties);
    counts.set(className, (counts.get(className) ?? 0) + Number(meets));
  }
  return [...counts]
    .map(([className, count]) => ({
      className,
      count,
      isWanted: ofClass.every(({ accepts }) => accepts(className)),
    }))
    .toSorted((a, b) => b.count - a.count || a.className.localeCompare(b.className));
}

/** Returns the text with classes chosen anew. Without a chosen class all are wanted. */
export function withClasses(
  filters: readonly ObjectFilter[],
  all: readonly string[],
  wanted: ReadonlySet<string>,
): string {
  const others = filters.filter(({ property }) => property !== CLASS);
  if (wanted.size === 0 || wanted.size === all.length) return textOf(others);
  const isListable = [...wanted].every(isNameable);
  const lines = isListable
    ? [`${CLASS} in ${[...wanted].join(",")}`]
    : all.filter((one) => !wanted.has(one)).map((one) => `${CLASS} ne ${one}`);
  return [...lines, ...others.map(lineOf)].join("\n");
}

/** The least confidence of a text; 0 without one. */
export function leastConfidence(filters: readonly ObjectFilter[]): number {
  return Math.max(0, ...filters.filter(isLeastConfidence).map(({ text }) => Number(text)));
}

/** Returns the text with another least confidence. */
export function withConfidence(filters: readonly ObjectFilter[], least: number): string {
  const others = filters.filter((one) => !isLeastConfidence(one)).map(lineOf);
  return [...others, ...(least > 0 ? [`${CONFIDENCE} gte ${least}`] : [])].join("\n");
}

function isLeastConfidence({ property, condition }: ObjectFilter): boolean {
  return property === CONFIDENCE && condition === "gte";
}

function textOf(filters: readonly ObjectFilter[]): string {
  return filters.map(lineOf).join("\n");
}

function lineOf({ property, condition, text }: ObjectFilter): string {
  return `${property} ${condition} ${text}`;
}
