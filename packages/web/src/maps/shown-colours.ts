import type { ClassColours } from "./class-pattern.ts";
import type { Drawing } from "./drawing.ts";

const COLOUR = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i;

/** The colours of the classes that a layer shows: the ones of its drawing, or of its map type. */
export function shownColours(made: ClassColours, drawing: Drawing | null): ClassColours {
  if (drawing?.kind !== "classes") return made;
  const lines = drawing.classification.split(/[\n;]/).map((line) => line.trim());
  return Object.fromEntries(lines.flatMap((line) => classOf(line, made)));
}

/** A class without a colour has the one of its first member, as the service draws it; unknown for a class of classes. */
function classOf(line: string, made: ClassColours): readonly (readonly [name: string, colour: readonly number[]])[] {
  const [name = "", ...others] = line.split(":").map((part) => part.trim());
  const [, ...channels] = COLOUR.exec(others.at(-1) ?? "") ?? [];
  if (channels.length > 0) return [[name, channels.map((channel) => Number.parseInt(channel, 16))]];
  const member = (others[0] ?? name).split(",")[0]?.trim() ?? "";
  const colour = Object.hasOwn(made, member) ? made[member] : undefined;
  return colour === undefined ? [] : [[name, colour]];
}
