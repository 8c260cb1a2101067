import {
  allowInsecureRequests,
  discovery,
  initiateDeviceAuthorization,
  None,
  pollDeviceAuthorizationGrant,
  type Configuration,
} from "openid-client";
import { CommandError, EXIT } from "../exit-code.ts";
import { browserTokens } from "./browser-tokens.ts";
import { chooseToken } from "./choose-token.ts";
import type { ServiceIssuer } from "./service-issuer.ts";

type Flow = "device" | "browser";

/** Parts of the command line that a sign-in uses. */
export interface SignIn {
  /** Shows a line to the user. */
  readonly note: (text: string) => void;
  readonly signal: AbortSignal;
  /** Null: the device flow where the issuer has it, else the browser. */
  readonly flow: Flow | null;
}

/**
 * A token of the issuer for the service, by the device flow (RFC 8628) or by a browser of this machine (RFC 8252).
 *
 * @throws {CommandError} when the user refuses or lets the time pass, or the issuer gives no token for the service
 */
export async function issuerLogin(service: ServiceIssuer, { flow, note, signal }: SignIn): Promise<string> {
  const url = new URL(service.issuer);
  const execute = url.protocol === "http:" ? [allowInsecureRequests] : [];
  const client = await discovery(url, service.clientId, undefined, None(), { execute }).catch((cause: unknown) => {
    const reason = cause instanceof Error ? (cause.cause instanceof Error ? cause.cause.message : cause.message) : "";
    throw new CommandError(`the issuer ${service.issuer} cannot be asked: ${reason}`);
  });
  const hasDeviceFlow = client.serverMetadata().device_authorization_endpoint !== undefined;
  if (flow === "device" && !hasDeviceFlow) {
    throw new CommandError(`${service.issuer} has no device flow`, EXIT.usage, "sign in with --browser");
  }
  const resource: Readonly<Record<string, string>> = service.resource === null ? {} : { resource: service.resource };
  const parameters = { scope: service.scope, ...resource };
  try {
    const { access_token, id_token } =
      (flow ?? (hasDeviceFlow ? "device" : "browser")) === "device"
        ? await deviceTokens(client, parameters, resource, { note, signal })
        : await browserTokens(client, parameters, resource, { note, signal });
    return chooseToken([access_token, id_token], service.audience);
  } catch (error) {
    throw refusalOf(error) ?? error;
  }
}

async function deviceTokens(
  client: Configuration,
  parameters: Record<string, string>,
  resource: Record<string, string>,
  { note, signal }: Pick<SignIn, "note" | "signal">,
) {
  const device = await initiateDeviceAuthorization(client, parameters);
  note(`open ${device.verification_uri} and enter ${device.user_code}`);
  if (device.verification_uri_complete !== undefined) note(`or open ${device.verification_uri_complete}`);
  return await pollDeviceAuthorizationGrant(client, device, resource, { signal });
}

/** Errors of OAuth (RFC 6749, RFC 8628) that the user or the time has decided. */
const REFUSALS: Readonly<Record<string, string>> = {
  access_denied: "the sign-in was refused",
  expired_token: "the time to sign in has passed",
};

function refusalOf(error: unknown): CommandError | null {
  if (!(error instanceof Error) || !("error" in error) || typeof error.error !== "string") return null;
  const known = REFUSALS[error.error];
  if (known !== undefined) return new CommandError(known, EXIT.auth, "repeat swath login");
  return new CommandError(`the issuer answered ${error.error}: ${error.message}`, EXIT.auth);
}
