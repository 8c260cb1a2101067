import { readFileSync } from "node:fs";

/** Where a secret is kept: a variable of the environment or a file. */
export type SecretReference = { readonly env: string } | { readonly file: string };

/**
 * The secret itself, without the line break that editors put at the end of files. Not kept, not logged.
 *
 * @throws {Error} naming the variable or file, never its content, when it is missing or empty
 */
export function readSecret(reference: SecretReference): string {
  if ("env" in reference) {
    const value = process.env[reference.env] ?? "";
    if (value === "") throw new Error(`the environment variable ${reference.env} is empty, expected a secret`);
    return value;
  }
  let text: string;
  try {
    text = readFileSync(reference.file, "utf8").replace(/\r?\n$/, "");
  } catch (cause) {
    throw new Error(`the file ${reference.file} cannot be read, expected a secret in it`, { cause });
  }
  if (text === "") throw new Error(`the file ${reference.file} is empty, expected a secret in it`);
  return text;
}
