import { invalidMember } from "./invalid-member.ts";

/**
 * Refuses passwords that are the e-mail address or its first part; lengths are the schema's.
 *
 * @param path JSON Pointer of the password in the request
 * @throws {ServiceError} VALIDATION-ERROR
 */
export function requireGoodPassword(password: string, email: string, path: string): void {
  const lower = password.toLowerCase();
  const address = email.toLowerCase();
  if (lower === address || lower === address.split("@")[0]) {
    throw invalidMember(path, "must be neither the e-mail address nor its first part");
  }
}
