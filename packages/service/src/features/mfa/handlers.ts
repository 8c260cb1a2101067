import type { Handlers } from "../../platform/context.ts";
import type { mfaContract } from "@swath/contract/features/mfa/contract";
import type { MfaService } from "./service.ts";

export function mfaHandlers(service: MfaService): Handlers<typeof mfaContract> {
  return {
    confirm: ({ code }, { caller }) => service.confirm(caller, code),
    disable: ({ code }, { caller }) => service.disable(caller, code),
    enroll: (request, { caller }) => service.enroll(caller, request),
    reset: ({ userId }, { caller }) => service.reset(caller, userId),
  };
}
