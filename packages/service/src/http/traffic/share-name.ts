import type { Caller } from "../../platform/context.ts";
import { networkOf } from "../../platform/identity/network-of.ts";

/** Name of the share that a request counts for: of the user whose token was valid, otherwise of the address. */
export function shareName(caller: Caller, address: string): string {
  return caller.kind === "anonymous" ? addressShare(address) : `user ${caller.userId}`;
}

export function addressShare(address: string): string {
  return `address ${networkOf(address)}`;
}
