const UNKNOWN_AUTHORITY =
  "its authority is unknown: name the file with the certificate of the authority in NODE_EXTRA_CA_CERTS";
const OTHER_NAME = "it is for other names: use a name of the certificate, or give the server one for its name";

/** Codes of Node and OpenSSL, with the fault and its cure. */
const FAULTS: ReadonlyMap<string, string> = new Map([
  ["DEPTH_ZERO_SELF_SIGNED_CERT", UNKNOWN_AUTHORITY],
  ["SELF_SIGNED_CERT_IN_CHAIN", UNKNOWN_AUTHORITY],
  ["UNABLE_TO_GET_ISSUER_CERT", UNKNOWN_AUTHORITY],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", UNKNOWN_AUTHORITY],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", UNKNOWN_AUTHORITY],
  ["CERT_UNTRUSTED", UNKNOWN_AUTHORITY],
  ["CERT_HAS_EXPIRED", "it has expired: renew it on the server"],
  ["CERT_NOT_YET_VALID", "it is not valid yet: check the clocks of both machines"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", OTHER_NAME],
  ["HOSTNAME_MISMATCH", OTHER_NAME],
  ["CERT_REVOKED", "it is revoked: renew it on the server"],
  ["CERT_REJECTED", "its authority does not allow this use: renew it on the server"],
  ["CERT_SIGNATURE_FAILURE", "its signature is wrong: renew it on the server"],
  ["CERT_CHAIN_TOO_LONG", "its chain is too long: renew it on the server"],
  ["INVALID_CA", "a certificate of its chain is no authority: renew the chain on the server"],
  ["INVALID_PURPOSE", "it is not for servers: renew it on the server"],
]);
const MOST_CAUSES = 8;

/** The certificate of a server cannot be trusted. Another try does not help; an operator does. */
export class CertificateError extends Error {
  override readonly name = "CertificateError";
}

/**
 * The error, or one of its causes, as a fault of the certificate of a host; null when it is none.
 *
 * @param host for the message, with or without a port
 */
export function certificateError(error: unknown, host: string): CertificateError | null {
  let one = error;
  for (let depth = 0; depth < MOST_CAUSES && one instanceof Error; depth += 1) {
    if (one instanceof CertificateError) return one;
    const code = "code" in one && typeof one.code === "string" ? one.code : "";
    const fault = FAULTS.get(code);
    if (fault !== undefined) {
      return new CertificateError(`the certificate of ${host} is not trusted (${code}), ${fault}`, { cause: error });
    }
    one = one.cause;
  }
  return null;
}
