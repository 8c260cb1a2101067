import assert from "node:assert/strict";

const MOST_PAGES = 15;

/** Fills in the forms of an issuer as the user of the account does, up to the address to which it returns. */
export async function followIssuer(address: string, account: string, returnAddress: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = address;
  let form: URLSearchParams | null = null;
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
      if (url.startsWith(returnAddress)) return new URL(url);
      continue;
    }
    const action = /<form[^>]* action="([^"]+)"/u.exec(html)?.[1] ?? assert.fail(`no form at ${url}: ${html}`);
    url = new URL(action, url).href;
    const prompt = /name="prompt" value="([^"]+)"/u.exec(html)?.[1] ?? "login";
    form = new URLSearchParams({ prompt, login: account, password: "any" });
  }
  return assert.fail(`more than ${MOST_PAGES} pages from ${address}`);
}
