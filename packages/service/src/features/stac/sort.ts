import { sceneField } from "../imagery/browse/scene-fields.ts";
import { badRequest } from "./bad-request.ts";

export interface SortKey {
  readonly field: string;
  readonly isDescending: boolean;
}

const MAX_KEYS = 10;

/** Keys of an address: `-properties.datetime,+id`; a plus may arrive as a space. @throws {ServiceError} BAD-REQUEST */
export function sortOfText(text: string | undefined): readonly SortKey[] {
  if (text === undefined) return [];
  const names = text.split(",").filter((name) => name.trim() !== "");
  return checked(
    names.map((name) => ({ field: name.trim().replace(/^[+-]/, ""), isDescending: name.trim().startsWith("-") })),
  );
}

export function sortOfBody(
  keys: readonly { readonly field: string; readonly direction?: "asc" | "desc" }[] | undefined,
): readonly SortKey[] {
  return checked((keys ?? []).map(({ field, direction }) => ({ field, isDescending: direction === "desc" })));
}

function checked(keys: readonly SortKey[]): readonly SortKey[] {
  if (keys.length > MAX_KEYS) throw badRequest("sortby", `must have at most ${MAX_KEYS} properties`);
  for (const { field } of keys) {
    if (sceneField(field) === null) throw badRequest("sortby", `must name queryables, got "${field.slice(0, 100)}"`);
  }
  return keys;
}
