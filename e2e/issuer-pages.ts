import assert from "node:assert/strict";

const MOST_PAGES = 15;

interface Visit {
  readonly account: string;
  /** Whether the user aborts instead of confirming a code. */
  readonly refuse?: boolean;
  /** Address at which the visit ends without asking for it. */
  readonly until?: string;
}

interface LastPage {
  readonly url: URL;
  /** Empty for the address that ends the visit. */
  readonly html: string;
}

/** Fills in the forms of an issuer as the user of the account does. @returns the page behind the last form */
export async function visitIssuer(address: string, { account, refuse = false, until }: Visit): Promise<LastPage> {
  const cookies = new Map<string, string>();
  let url = address;
  let form: URLSearchParams | null = null;
  let hasRefused = false;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer: Response = await fetch(url, {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form === null ? {} : { method: "POST", body: form }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/u.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get("location");
    const html = await answer.text();
    form = null;
    if (location !== null) {
      url = new URL(location, url).href;
      if (until !== undefined && url.startsWith(until)) return { url: new URL(url), html: "" };
      continue;
    }
    const action = /<form[^>]* action="([^"]+)"/u.exec(html)?.[1];
    // After a refusal the issuer asks for another code.
    if (action === undefined || hasRefused) return { url: new URL(url), html };
    url = new URL(action, url).href;
    form = formOf(html);
    if (form.has("login")) form.set("login", account);
    if (form.has("abort")) {
      form.delete("abort");
      form.set(refuse ? "abort" : "confirm", "yes");
      hasRefused = refuse;
    }
  }
  return assert.fail(`more than ${MOST_PAGES} pages from ${address}`);
}

/** The fields of a form, and its buttons. */
function formOf(html: string): URLSearchParams {
  const form = new URLSearchParams();
  for (const [tag] of html.matchAll(/<(?:input|button)[^>]*>/gu)) {
    const name = /name="([^"]+)"/u.exec(tag)?.[1];
    if (name !== undefined) form.set(name, /value="([^"]*)"/u.exec(tag)?.[1] ?? "");
  }
  return form;
}
