import { Argument, type Command } from "commander";
import type { BindAction } from "../command-action.ts";

/** Adds `swath completion`, and the hidden command that its scripts ask. */
export function addCompletionCommands(program: Command, action: BindAction): void {
  program
    .command("completion")
    .description("print the script that completes commands, options and names in a shell")
    .addArgument(new Argument("<shell>", "your shell").choices(["bash", "zsh", "fish"]))
    .action(action(async () => (await import("./print-completion.ts")).printCompletion));
  program
    .command("__complete", { hidden: true })
    .argument("[words...]", "words of a command line")
    .action(
      action(async () => {
        const { printCandidates } = await import("./print-candidates.ts");
        return (context, _options: object, words) => printCandidates(program, context, words);
      }),
    );
}
