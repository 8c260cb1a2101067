import { recoverConfiguredUser } from "@swath/service/main";
import type { CommandContext } from "../command-context.ts";

/** `swath users reset-password`: a new password for a user, shown once; its tokens end. */
export async function resetPassword({ output }: CommandContext, _options: object, args: readonly string[]) {
  const email = args[0] ?? "";
  const password = await recoverConfiguredUser({ email, resetPassword: true, unblock: false });
  output.result({ email, password }, [`the password of ${email} is ${password} (shown once)`]);
}

/** `swath users unblock`: lets a blocked user in again. */
export async function unblock({ output }: CommandContext, _options: object, args: readonly string[]) {
  const email = args[0] ?? "";
  await recoverConfiguredUser({ email, resetPassword: false, unblock: true });
  output.result({ email, blocked: false }, [`${email} is not blocked`]);
}
