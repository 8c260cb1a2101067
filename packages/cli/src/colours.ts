import { styleText } from "node:util";
import type { Sink } from "./sink.ts";

/** Words of a kind, in the colour of the kind where colours are shown. */
export type Paint = (kind: "failure" | "warning" | "hint" | "title" | "name", text: string) => string;

const STYLES = {
  failure: ["bold", "red"],
  warning: ["yellow"],
  hint: ["dim"],
  title: ["bold"],
  name: ["cyan"],
} as const;

/**
 * Whether a sink shows colours: a terminal, unless NO_COLOR is set (https://no-color.org) or the terminal is `dumb`.
 * FORCE_COLOR shows them elsewhere too.
 */
export function showsColours(sink: Sink, variables: NodeJS.ProcessEnv): boolean {
  const isSet = (name: string): boolean => variables[name] !== undefined && variables[name] !== "";
  if (isSet("NO_COLOR")) return false;
  if (isSet("FORCE_COLOR")) return variables["FORCE_COLOR"] !== "0";
  return sink.isTTY === true && variables["TERM"] !== "dumb";
}

export function paintFor(sink: Sink, variables: NodeJS.ProcessEnv): Paint {
  if (!showsColours(sink, variables)) return (_kind, text) => text;
  // The sink was looked at above.
  return (kind, text) => styleText([...STYLES[kind]], text, { validateStream: false });
}
