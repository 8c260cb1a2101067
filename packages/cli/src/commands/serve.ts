import { runService } from "@swath/service/main";
import type { CommandContext } from "../command-context.ts";
import { dataFolder, demoLoginPath, ensureDemoLogin } from "../demo-login.ts";
import { endOfNpm } from "../end-of-npm.ts";
import { CommandError, EXIT } from "../exit-code.ts";

export interface ServeOptions {
  readonly stopWithParent?: boolean;
}

/** `swath serve`: the service in this process until SIGINT or SIGTERM, or, on demand, until standard input closes. */
export async function serve(context: CommandContext, options: ServeOptions): Promise<void> {
  const folder = dataFolder(process.env);
  const login = await ensureDemoLogin(folder, process.env);
  if (login !== null) context.output.note(`demo user ${login.email}, password in ${demoLoginPath(folder)}`);
  if (options.stopWithParent === true) {
    process.stdin.on("end", () => process.kill(process.pid, "SIGTERM"));
    process.stdin.resume();
  }
  const code = await runService({
    stop: endOfNpm(process.env),
    settings: login === null ? {} : { SWATH_DEMO_EMAIL: login.email, SWATH_DEMO_PASSWORD: login.password },
  });
  process.stdin.pause();
  if (code !== 0) throw new CommandError("the service has ended", code === 2 ? EXIT.usage : EXIT.failure);
}
