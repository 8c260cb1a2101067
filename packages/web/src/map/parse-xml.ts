interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(text: string): string }): { createHTML(text: string): string };
}

/** Reads XML that declares no entities. @throws {TypeError} for a document type, and for text that is no XML */
export function parseXml(text: string): Document {
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) throw new TypeError("a document type (DOCTYPE) is refused: save it without");
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  // The policy of the page refuses plain texts; a document of XML without entities runs no scripts.
  const trusted = trustedTypes?.createPolicy("xml", { createHTML: (same) => same }).createHTML(text) ?? text;
  const document = new DOMParser().parseFromString(trusted, "application/xml");
  if (document.querySelector("parsererror") !== null) throw new TypeError("it is no well-formed XML");
  return document;
}
