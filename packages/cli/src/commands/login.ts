import { createClient } from "@swath/client";
import type { CommandContext } from "../command-context.ts";
import { givenCredentials, serviceUrl } from "../connection.ts";
import { UsageError } from "../exit-code.ts";
import { readSettings, writeSettings } from "../settings.ts";

export interface LoginOptions {
  readonly logout?: boolean;
}

/** `swath login`: remembers a token and the address; never the password. */
export async function login(context: CommandContext, options: LoginOptions): Promise<void> {
  const { output, environment } = context;
  const baseUrl = await serviceUrl(context);
  const settings = await readSettings(environment.configFolder);
  if (options.logout === true) {
    const { [baseUrl]: _forgotten, ...logins } = settings.logins;
    const path = await writeSettings(environment.configFolder, { ...settings, logins });
    output.result({ baseUrl, signedIn: false }, [`signed out of ${baseUrl} (${path})`]);
    return;
  }
  const credentials = givenCredentials(context);
  if (credentials === null)
    throw new UsageError("login needs --email and --password, or SWATH_EMAIL and SWATH_PASSWORD");
  const { email, password } = credentials;
  const token = await createClient({ baseUrl, credentials: { username: email, password } }).token();
  if (token === null) throw new Error("the service answered the token request without a token");
  const expiresAt = expiryOf(token);
  const path = await writeSettings(environment.configFolder, {
    url: baseUrl,
    logins: { ...settings.logins, [baseUrl]: { email, token, expiresAt } },
  });
  output.result({ baseUrl, email, expiresAt, settings: path }, [
    `signed in at ${baseUrl} as ${email} until ${expiresAt} (${path})`,
  ]);
}

/** When a token ends, as it says itself; ten hours from now when it does not. */
function expiryOf(token: string): string {
  const fallback = new Date(Date.now() + 10 * 3600 * 1000).toISOString();
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
    if (typeof payload === "object" && payload !== null && "exp" in payload && typeof payload.exp === "number") {
      return new Date(payload.exp * 1000).toISOString();
    }
  } catch {
    return fallback;
  }
  return fallback;
}
