/** What a PUT of upload bytes says about itself. */
export type ContentRange =
  /** No header: the body is the whole file. */
  | { readonly kind: "whole" }
  /** `bytes start-end/total`; `end` is exclusive here. */
  | { readonly kind: "part"; readonly start: number; readonly end: number; readonly total: number }
  /** An asterisk instead of the range: no body, only asks how much has arrived. */
  | { readonly kind: "query"; readonly total: number };

const PART = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/i;
const QUERY = /^bytes \*\/(\d{1,15})$/i;

/** The meaning of a Content-Range header (RFC 9110, section 14.4), or null when it has none. */
export function parseContentRange(header: string | undefined): ContentRange | null {
  if (header === undefined) return { kind: "whole" };
  const text = header.trim();
  const query = QUERY.exec(text);
  if (query !== null) return { kind: "query", total: Number(query[1]) };
  const part = PART.exec(text);
  if (part === null) return null;
  const [start, last, total] = [Number(part[1]), Number(part[2]), Number(part[3])];
  return start <= last && last < total ? { kind: "part", start, end: last + 1, total } : null;
}
