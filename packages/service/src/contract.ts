import { usersContract } from "./features/users/contract.ts";

/** Everything the service offers, by feature. Clients import its type only. */
export const contract = {
  users: usersContract,
} as const;
