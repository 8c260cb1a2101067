import type { Environment } from "./settings.ts";
import type { Output } from "./output.ts";

/** Options of every command that say which service to talk to and as whom. */
export interface ConnectionOptions {
  readonly url?: string;
  readonly email?: string;
  readonly password?: string;
  readonly token?: string;
}

/** What a command gets besides its own options. */
export interface CommandContext {
  readonly output: Output;
  readonly environment: Environment;
  readonly connection: ConnectionOptions;
  /** Aborts on the first interrupt. */
  readonly signal: AbortSignal;
}
