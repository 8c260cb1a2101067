import {
  API_AUDIENCE,
  CLIENT_ID,
  oidcServer,
  type OidcServer,
} from "../packages/service/src/platform/identity/oidc-testing.ts";
import { ServiceProcess } from "./service-process.ts";

/** The account that the issuer knows. */
export const ISSUER_ACCOUNT = "guest";

/** A service whose users sign in at a separate issuer, and come into the demonstration group. */
export async function startIssuerService(
  stack: AsyncDisposableStack,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ readonly oidc: OidcServer; readonly service: ServiceProcess }> {
  const oidc = stack.use(await startIssuer());
  return { oidc, service: stack.use(await ServiceProcess.start({ ...issuerSettings(oidc), ...settings })) };
}

/** An issuer that knows the account. */
export async function startIssuer(): Promise<OidcServer> {
  const oidc = await oidcServer();
  await oidc.setAccount(ISSUER_ACCOUNT, { email: "guest@example.org", email_verified: true, name: "Guest" });
  return oidc;
}

/** Settings of a service whose users sign in at the issuer. */
export function issuerSettings({ issuer }: OidcServer): Readonly<Record<string, string>> {
  return {
    SWATH_OIDC_ISSUER: issuer,
    SWATH_OIDC_AUDIENCE: API_AUDIENCE,
    SWATH_OIDC_NEW_USER_GROUP: "Demo",
    SWATH_OIDC_CLIENT_ID: CLIENT_ID,
    SWATH_OIDC_SCOPE: "openid email api",
    SWATH_OIDC_RESOURCE: "urn:swath:api",
  };
}
