import { Type } from "typebox";
import type { Static } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineOperation } from "../../kit/operation.ts";

const Code = Type.String({ description: "Six digits of the authenticator application", minLength: 6, maxLength: 16 });
const CodeOrRecoveryCode = Type.String({
  description: "Six digits of the authenticator application, or a recovery code",
  minLength: 6,
  maxLength: 64,
});

export const MfaState = Type.Object({
  enabled: Type.Boolean({ description: "Whether token requests of the caller need a second factor" }),
});
export type MfaState = Static<typeof MfaState>;

export const EnrollRequest = Type.Object({
  code: Type.Optional({
    ...CodeOrRecoveryCode,
    description: "Required to replace an existing second factor",
  }),
});
export type EnrollRequest = Static<typeof EnrollRequest>;

export const Enrollment = Type.Object({
  secret: Type.String({ description: "Base32, for typing" }),
  otpauthUri: Type.String({ description: "For a QR code: SHA-1, six digits, 30 seconds" }),
  recoveryCodes: Type.Array(Type.String(), { description: "Each replaces a code once; shown once" }),
});
export type Enrollment = Static<typeof Enrollment>;

export const mfaContract = {
  confirm: defineOperation({
    path: "/user/mfa/confirm",
    unknownMembers: "refuse",
    summary: "Confirm an enrolment with a code of the new secret",
    access: "user",
    request: Type.Object({ code: Code }),
    response: MfaState,
    errors: ["CONFLICT", "MFA-REQUIRED"],
  }),
  disable: defineOperation({
    path: "/user/mfa/disable",
    unknownMembers: "refuse",
    summary: "Remove the second factor of the caller",
    description: "Refused with 409 while the account requires a second factor. Enrol another one instead.",
    access: "user",
    request: Type.Object({ code: CodeOrRecoveryCode }),
    response: MfaState,
    errors: ["CONFLICT", "MFA-REQUIRED"],
  }),
  enroll: defineOperation({
    path: "/user/mfa/enroll",
    unknownMembers: "refuse",
    summary: "Begin the enrolment of a second factor",
    description:
      "A time-based one-time password (RFC 6238). It takes effect with /user/mfa/confirm, within 15 minutes.",
    access: "user",
    request: EnrollRequest,
    response: Enrollment,
    errors: ["CONFLICT", "MFA-REQUIRED"],
  }),
  reset: defineOperation({
    path: "/user/mfa/reset",
    unknownMembers: "refuse",
    summary: "Remove the second factor of another user",
    description: "Only administrators remove the second factor of an administrator.",
    access: "user",
    permissions: ["admin.users.manage"],
    request: Type.Object({ userId: Type.String({ minLength: 1, maxLength: 128 }) }),
    response: Type.Object({ removed: Type.Boolean({ description: "Whether a second factor was removed" }) }),
  }),
} as const satisfies FeatureContract;
