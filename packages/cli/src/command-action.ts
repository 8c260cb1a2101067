import { Command } from "commander";
import type { CommandContext, ConnectionOptions } from "./command-context.ts";
import { createOutput } from "./output.ts";
import { readEnvironment } from "./settings.ts";
import type { Sink } from "./sink.ts";

/** Where a command line runs. */
export interface Surroundings {
  readonly out: Sink;
  readonly err: Sink;
  readonly variables: NodeJS.ProcessEnv;
}

type Perform<Options> = (context: CommandContext, options: Options, args: readonly string[]) => Promise<void>;

/** Makes the action of a command. `load` imports its code when it runs, so that others start without it. */
export type BindAction = <Options>(load: () => Promise<Perform<Options>>) => (...given: unknown[]) => Promise<void>;

/** @param signal aborts on the first interrupt */
export function actionsIn({ out, err, variables }: Surroundings, signal: AbortSignal): BindAction {
  return <Options>(load: () => Promise<Perform<Options>>) =>
    async (...given: unknown[]): Promise<void> => {
      // Commander passes the arguments, the options, the command.
      const command = given.at(-1);
      if (!(command instanceof Command)) throw new Error("the command line library passed no command");
      const options = command.optsWithGlobals<Options & ConnectionOptions & { readonly json?: boolean }>();
      const context: CommandContext = {
        output: createOutput(options.json === true, out, err, variables),
        environment: readEnvironment(variables),
        connection: options,
        signal,
      };
      const perform = await load();
      await perform(context, options, command.args);
    };
}
