import type { FastifyReply } from "fastify";
import type { LoginOutcome } from "../platform/identity/password-login.ts";

/** A failure of a token request, as RFC 6749 section 5.2 has it. */
export interface Refusal {
  readonly status: number;
  readonly error: string;
  readonly description: string;
  readonly more?: Readonly<Record<string, unknown>>;
}

type Refused = Exclude<LoginOutcome, { readonly kind: "granted" }>;

/** Answers a sign-in that gave no token, with the reason or the next step. */
export async function refuseLogin(reply: FastifyReply, refused: Refused | Refusal): Promise<void> {
  if ("kind" in refused && refused.kind === "locked") reply.header("retry-after", String(refused.retryAfterS));
  const {
    status,
    error,
    description,
    more = {},
  } = "kind" in refused ? refusalOf(refused, secondLegOf(reply)) : refused;
  const body = { error, error_description: description, ...more };
  await reply.code(status).header("cache-control", "no-store").send(body);
}

/** The address that takes the `mfa_token`: the console has one for both legs. */
function secondLegOf(reply: FastifyReply): string {
  return reply.request.url.startsWith("/console/") ? "/console/session" : "/oauth/mfa";
}

function refusalOf(outcome: Refused, secondLeg: string): Refusal {
  switch (outcome.kind) {
    case "second-factor":
      return {
        status: 403,
        error: "mfa_required",
        description: outcome.enrolled
          ? `Send mfa_token to ${secondLeg} with otp, or with recovery_code`
          : `Send mfa_token to ${secondLeg} to enrol a second factor`,
        more: { mfa_token: outcome.mfaToken },
      };
    case "enrolment":
      return {
        status: 403,
        error: "mfa_enrollment_required",
        description: `Store the secret, then send mfa_token and otp to ${secondLeg}`,
        more: {
          mfa_token: outcome.mfaToken,
          secret: outcome.enrolment.secret,
          otpauth_uri: outcome.enrolment.otpauthUri,
          recovery_codes: outcome.enrolment.recoveryCodes,
        },
      };
    case "locked":
      return {
        status: 429,
        error: "too_many_attempts",
        description: `Too many attempts; try again in ${outcome.retryAfterS} s`,
      };
    case "refused":
      return { status: 401, error: "invalid_grant", description: outcome.reason };
    case "malformed":
      break;
  }
  return { status: 400, error: "invalid_request", description: outcome.reason };
}
