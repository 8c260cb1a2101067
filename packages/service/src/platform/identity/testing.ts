import { DEFAULT_TOKEN_LIFETIME_S, type IdentityConfig } from "./identity.ts";

/** Settings of the identity of a test: the built-in provider alone. */
export const TEST_IDENTITY: IdentityConfig = {
  issuer: "http://swath.test",
  audience: "swath",
  external: null,
  tokenLifetimeS: DEFAULT_TOKEN_LIFETIME_S,
};
