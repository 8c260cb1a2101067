import { createClient, type Client } from "@swath/client";
import type { CommandContext } from "./command-context.ts";
import { CommandError, EXIT, UsageError } from "./exit-code.ts";
import { DEFAULT_URL, readSettings } from "./settings.ts";

/** Address to talk to: option, environment, settings file, default. @throws {UsageError} when it is none */
export async function serviceUrl(context: CommandContext): Promise<string> {
  const { connection, environment } = context;
  const text = connection.url ?? environment.url ?? (await readSettings(environment.configFolder)).url ?? DEFAULT_URL;
  let url: URL;
  try {
    url = new URL(text);
  } catch (cause) {
    throw new UsageError(`the address of the service is "${text}", expected something like ${DEFAULT_URL}`, { cause });
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new UsageError(`the address of the service is "${text}", expected http or https`);
  }
  return url.href.replace(/\/+$/, "");
}

/** E-mail and password from options or environment; null when there is no e-mail. */
export function givenCredentials(
  context: CommandContext,
): { readonly email: string; readonly password: string } | null {
  const { connection, environment } = context;
  const email = connection.email ?? environment.email;
  if (email === null) return null;
  const password = connection.password ?? environment.password;
  if (password === null) throw new UsageError(`no password for ${email}: give --password or SWATH_PASSWORD`);
  return { email, password };
}

/**
 * A client for the service as the user that is named: `--token`, `--email`, their variables, or the remembered login.
 *
 * @throws {CommandError} when nobody is named and nobody has signed in
 */
export async function connect(context: CommandContext): Promise<Client> {
  const baseUrl = await serviceUrl(context);
  const token = context.connection.token ?? (context.connection.email === undefined ? context.environment.token : null);
  if (token !== null) return createClient({ baseUrl, token });
  const credentials = givenCredentials(context);
  if (credentials !== null) {
    return createClient({ baseUrl, credentials: { username: credentials.email, password: credentials.password } });
  }
  const saved = (await readSettings(context.environment.configFolder)).logins[baseUrl];
  if (saved !== undefined && Date.parse(saved.expiresAt) > Date.now()) {
    return createClient({ baseUrl, token: saved.token });
  }
  throw new CommandError(
    saved === undefined ? `not signed in at ${baseUrl}` : `the login of ${saved.email} at ${baseUrl} has expired`,
    EXIT.auth,
    "sign in with swath login --email …, or give --email and --password or a --token",
  );
}
