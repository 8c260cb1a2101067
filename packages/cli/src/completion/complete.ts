import type { Argument, Command, Option } from "commander";
import { LAST_MAP } from "../map-name.ts";
import { LAST_ORDER } from "../task/task-names.ts";
import type { ServiceMemory, UserMemory } from "../memory.ts";

/** A word that may follow, and its meaning. */
export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** Names that earlier commands have seen. */
export type Known = Pick<ServiceMemory, "datasets" | "types"> & UserMemory;

/**
 * The words that may stand at the end of a command line. None where a file or any text is expected: shells then
 * complete files.
 *
 * @param words after the name of the program; the last is the word to complete, empty for a new one
 */
export function complete(program: Command, words: readonly string[], known: Known): readonly Candidate[] {
  const current = words.at(-1) ?? "";
  const { command, positionals, open } = walk(program, words.slice(0, -1));
  const candidates = candidatesAt(command, { current, positionals, open }, known);
  return candidates.filter(({ value }) => value.startsWith(current));
}

interface Place {
  readonly command: Command;
  /** Arguments before the word. */
  readonly positionals: number;
  /** The option whose value the word is; null for none. */
  readonly open: Option | null;
}

function walk(program: Command, words: readonly string[]): Place {
  let command = program;
  let positionals = 0;
  let open: Option | null = null;
  for (const word of words) {
    if (open !== null) open = null;
    else if (word.startsWith("-")) {
      const option = optionsOf(command).find(({ long, short }) => word === long || word === short);
      open = option !== undefined && (option.required || option.optional) ? option : null;
    } else {
      const next = positionals === 0 ? command.commands.find((one) => one.name() === word) : undefined;
      if (next === undefined) positionals += 1;
      else command = next;
    }
  }
  return { command, positionals, open };
}

function candidatesAt(
  command: Command,
  { current, positionals, open }: Omit<Place, "command"> & { readonly current: string },
  known: Known,
): readonly Candidate[] {
  if (open !== null) return valuesOf(open, current, known);
  if (current.startsWith("-")) {
    return optionsOf(command).map(({ long, short, description }) => ({ value: long ?? short ?? "", description }));
  }
  const commands = command.createHelp().visibleCommands(command);
  if (commands.length > 0 && positionals === 0) {
    return commands.map((one) => ({ value: one.name(), description: one.description() }));
  }
  const last = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[positionals] ?? (last?.variadic === true ? last : undefined);
  return argument === undefined ? [] : argumentsOf(argument, known);
}

/** Options of a command and of the commands above it. */
function optionsOf(command: Command): readonly Option[] {
  const own = command.options.filter(({ hidden }) => !hidden);
  return command.parent === null ? own : [...own, ...optionsOf(command.parent)];
}

function valuesOf({ argChoices, long }: Option, current: string, known: Known): readonly Candidate[] {
  if (argChoices !== undefined) return plain(argChoices);
  if (long === "--dataset") return plain(known.datasets);
  if (long === "--scenes") return plain(known.scenes);
  if (long !== "--types") return [];
  // Words between commas: the last is completed.
  const before = current.slice(0, current.lastIndexOf(",") + 1);
  return plain(known.types.map((type) => before + type));
}

function argumentsOf(argument: Argument, { analyses, last, maps, scenes, study, orders }: Known): readonly Candidate[] {
  if (argument.argChoices !== undefined) return plain(argument.argChoices);
  const name = argument.name();
  if (name === "scene" || name === "scenes") return plain(scenes);
  if (name === "analysis") return plain(analyses);
  if (name === "window") {
    return (study?.windows ?? []).map((_, i) => ({ value: `@${i + 1}`, description: `window ${i + 1} of the study` }));
  }
  if (name === "order") {
    const latestOrder = orders.length === 0 ? [] : [{ value: LAST_ORDER, description: "the latest order" }];
    return [...latestOrder, ...plain(orders)];
  }
  if (name !== "map" && name !== "maps") return [];
  const latest = last === null ? [] : [{ value: LAST_MAP, description: "the latest map" }];
  return [...latest, ...Object.keys(maps).map((type) => ({ value: `@${type}`, description: `the latest ${type}` }))];
}

function plain(values: readonly string[]): readonly Candidate[] {
  return values.map((value) => ({ value, description: "" }));
}
