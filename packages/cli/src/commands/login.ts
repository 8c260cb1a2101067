import { createClient } from "@swath/client";
import type { CommandContext } from "../command-context.ts";
import { givenCredentials, serviceUrl } from "../connection.ts";
import { UsageError } from "../exit-code.ts";
import { findIssuer } from "../issuer/service-issuer.ts";
import { readSettings, writeSettings } from "../settings.ts";
import { tokenClaims } from "../token-claims.ts";

export interface LoginOptions {
  readonly browser?: boolean;
  readonly device?: boolean;
  readonly logout?: boolean;
}

/**
 * `swath login`: remembers a token and the address; never the password. A service with an external issuer signs in
 * there, by device flow or browser.
 */
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
  const { email, token } = await signIn(context, baseUrl, options);
  const expiresAt = expiryOf(token);
  const path = await writeSettings(environment.configFolder, {
    url: baseUrl,
    logins: { ...settings.logins, [baseUrl]: { email, token, expiresAt } },
  });
  output.result({ baseUrl, email, expiresAt, settings: path }, [
    `signed in at ${baseUrl} as ${email} until ${expiresAt} (${path})`,
  ]);
}

async function signIn(
  context: CommandContext,
  baseUrl: string,
  { browser, device }: LoginOptions,
): Promise<{ readonly email: string; readonly token: string }> {
  const { output, signal } = context;
  const issuer = await findIssuer(baseUrl, signal);
  const credentials = givenCredentials(context);
  if (issuer !== null) {
    if (credentials !== null) throw new UsageError(`${issuer.issuer} signs users in: swath login without --email`);
    const { issuerLogin } = await import("../issuer/issuer-login.ts");
    const flow = browser === true ? "browser" : device === true ? "device" : null;
    // A program that reads JSON has a user who must open the address nevertheless.
    const note = (text: string): void => (output.json ? void process.stderr.write(`${text}\n`) : output.note(text));
    const token = await issuerLogin(issuer, { flow, note, signal });
    // The service decides whose token it is, and whether it takes it at all.
    const { email } = await createClient({ baseUrl, token }).call("/user/info", {});
    return { email, token };
  }
  if (credentials === null) {
    throw new UsageError("login needs --email and --password, or SWATH_EMAIL and SWATH_PASSWORD");
  }
  const { email, password } = credentials;
  const token = await createClient({ baseUrl, credentials: { username: email, password } }).token();
  if (token === null) throw new Error("the service answered the token request without a token");
  return { email, token };
}

/** When a token ends, as it says itself; ten hours from now when it does not. */
function expiryOf(token: string): string {
  const { exp } = tokenClaims(token);
  return new Date(typeof exp === "number" ? exp * 1000 : Date.now() + 10 * 3600 * 1000).toISOString();
}
