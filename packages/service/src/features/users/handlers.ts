import type { Handlers } from "../../platform/context.ts";
import type { usersContract } from "./contract.ts";
import type { UserService } from "./service.ts";

export function usersHandlers(service: UserService): Handlers<typeof usersContract> {
  return {
    info: (request, { caller }) => service.info(caller, request),
    authorize: ({ token }) => service.authorize(token),
  };
}
