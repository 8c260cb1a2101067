import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomPKCECodeVerifier,
  randomState,
  type Configuration,
} from "openid-client";
import { CommandError, EXIT } from "../exit-code.ts";

const CALLBACK = "/callback";
const WITHIN_MS = 300_000;
const DONE = "<!doctype html><title>Swath</title><p>The command line goes on. You may close this page.</p>";

/**
 * Tokens by the code flow with PKCE: a browser of this machine returns to a port on the loopback interface.
 *
 * @throws {CommandError} when the browser does not return within five minutes
 */
export async function browserTokens(
  client: Configuration,
  parameters: Record<string, string>,
  resource: Record<string, string>,
  { note, signal }: { readonly note: (text: string) => void; readonly signal: AbortSignal },
) {
  const returned = Promise.withResolvers<URL>();
  returned.promise.catch(() => {});
  const server = createServer((request, response) => answer(request, response, returned.resolve));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the callback has no port");
  const redirectUri = `http://127.0.0.1:${address.port}${CALLBACK}`;
  const stop = AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]);
  const giveUp = (): void =>
    returned.reject(new CommandError("the browser did not return in time", EXIT.auth, "repeat swath login"));
  stop.addEventListener("abort", giveUp, { once: true });
  try {
    const pkceCodeVerifier = randomPKCECodeVerifier();
    const expectedState = randomState();
    const url = buildAuthorizationUrl(client, {
      ...parameters,
      redirect_uri: redirectUri,
      code_challenge: await calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
      state: expectedState,
    });
    note(`open ${url.href}`);
    const current = new URL((await returned.promise).search, redirectUri);
    return await authorizationCodeGrant(client, current, { pkceCodeVerifier, expectedState }, resource);
  } finally {
    stop.removeEventListener("abort", giveUp);
    server.closeAllConnections();
    server.close();
  }
}

/** A browser also asks for an icon: only the callback with a code or an error counts. */
function answer(request: IncomingMessage, response: ServerResponse, take: (url: URL) => void): void {
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  if (url.pathname !== CALLBACK || !(url.searchParams.has("code") || url.searchParams.has("error"))) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { "content-type": "text/html; charset=utf-8", connection: "close" }).end(DONE);
  take(url);
}
