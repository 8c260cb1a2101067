import { post, textOf } from "./console-post.ts";
import { keepView } from "./issuer-return.ts";

/** By password, or at the issuers with these names. */
export interface SignInWays {
  readonly password: boolean;
  readonly issuers: readonly string[];
}

/** @throws {Error} when the service does not answer */
export async function readWays(): Promise<SignInWays> {
  const { status, body } = await post("/console/sign-in", {});
  const { password, issuers } = body;
  if (status !== 200 || !Array.isArray(issuers)) throw new Error(`HTTP ${status}`);
  return { password: password === true, issuers: issuers.map(textOf) };
}

/** The demonstration user of a service on this machine, or null. */
export async function readDemonstration(): Promise<{ readonly email: string; readonly password: string } | null> {
  const { status, body } = await post("/console/demonstration", {});
  return status === 200 ? { email: textOf(body["email"]), password: textOf(body["password"]) } : null;
}

/** Leaves the page for the issuer. Returns why it failed, or null. */
export async function leaveForIssuer(): Promise<string | null> {
  const { status, body } = await post("/console/sign-in/begin", {});
  if (status !== 200) return textOf(body["error_description"]) || `HTTP ${status}`;
  keepView();
  location.assign(textOf(body["address"]));
  return null;
}
