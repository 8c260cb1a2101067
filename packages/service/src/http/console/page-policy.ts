/** A page asks its own origin alone, and runs no text as code. `ancestors`: pages that may frame it. */
export function pagePolicy(ancestors: "'none'" | "*"): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors}`,
    "require-trusted-types-for 'script'",
  ].join("; ");
}
