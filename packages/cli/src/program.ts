import { Command, CommanderError } from "commander";
import { actionsIn, type Surroundings } from "./command-action.ts";
import { paintFor, showsColours } from "./colours.ts";
import { addCommands } from "./command-table.ts";
import { EXIT, judge, UsageError } from "./exit-code.ts";
import { createOutput } from "./output.ts";

const EXIT_CODES = `
Exit codes: 0 done, 1 failed, 2 wrong usage or request, 3 not signed in or not allowed, 4 not found,
5 credit missing, 6 not available now, 7 not reproduced, 130 interrupted.
Environment: SWATH_URL, SWATH_TOKEN, SWATH_EMAIL, SWATH_PASSWORD.`;

/** Runs the command line and resolves with the exit code; the arguments are those after the program's name. */
export async function run(
  args: readonly string[],
  { out, err, variables }: Surroundings = { out: process.stdout, err: process.stderr, variables: process.env },
): Promise<number> {
  const paint = paintFor({ ...out, isTTY: true }, { ...variables, TERM: "" });
  const program = new Command("swath")
    .configureOutput({
      writeOut: (text) => void out.write(text),
      writeErr: (text) => void err.write(text),
      // The library takes the colours out where they are not shown.
      getOutHasColors: () => showsColours(out, variables),
      getErrHasColors: () => showsColours(err, variables),
    })
    .configureHelp({
      styleTitle: (text) => paint("title", text),
      styleSubcommandText: (text) => paint("name", text),
      styleOptionText: (text) => paint("name", text),
    });
  // A first interrupt lets the command end in order; a second one is left to Node, which ends the process.
  const stopped = new AbortController();
  const stop = (): void => stopped.abort(new Error("interrupted"));
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);

  program
    .description("Search, ingest and map satellite imagery with a Swath service")
    .version("0.1.0")
    .option("--url <address>", "address of the service")
    .option("--email <email>", "sign in as this user for this command")
    .option("--password <password>", "password for --email")
    .option("--token <token>", "token to send instead of signing in")
    .option("--json", "print the result as one JSON document")
    .showHelpAfterError("(swath help shows every command)")
    .addHelpText("after", EXIT_CODES)
    .exitOverride();

  addCommands(program, actionsIn({ out, err, variables }, stopped.signal));

  try {
    await program.parseAsync([...args], { from: "user" });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const verdict = judge(stopped.signal.aborted && !(error instanceof UsageError) ? new Error("interrupted") : error);
    createOutput(args.includes("--json"), out, err, variables).failure(verdict);
    return stopped.signal.aborted ? EXIT.interrupted : verdict.exitCode;
  } finally {
    process.off("SIGINT", stop);
    process.off("SIGTERM", stop);
  }
}
