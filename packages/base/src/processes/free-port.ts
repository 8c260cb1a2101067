import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Lowest and highest port that is chosen. Systems give ports from 32,768 upwards (Linux) or 49,152 (macOS, Windows)
 * to outgoing connections, which would take a chosen one before its server listens.
 */
const LOWEST = 20_000;
const HIGHEST = 32_767;
const ATTEMPTS = 100;

/** A port of the loopback address that nothing listens on and no outgoing connection will be given. */
export async function freePort(): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      continue;
    }
    server.close();
    await once(server, "close");
    return port;
  }
}
