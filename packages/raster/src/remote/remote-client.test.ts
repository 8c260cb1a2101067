import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { RasterError } from "../raster-error.ts";
import { HostBreakers } from "./host-breakers.ts";
import { createHostRules } from "./host-rules.ts";
import { createHttpTransport, type TransportOptions } from "./http-transport.ts";
import { createRemoteClient, type RemoteClientOptions, Retry } from "./remote-client.ts";
import { ManualTime } from "./testing.ts";

const never = new AbortController().signal;

interface Bench extends AsyncDisposable {
  readonly url: URL;
  readonly time: ManualTime;
  readonly seen: () => number;
  readonly send: (more?: {
    path?: string;
    maxBytes?: number;
    signal?: AbortSignal;
    accept?: () => void;
  }) => Promise<string>;
}

/** A server on loopback whose n-th request (from 1) is answered by `answer`, and a client of it. */
async function bench(
  answer: (n: number, time: ManualTime) => RequestListener,
  { breaker, ...options }: Partial<RemoteClientOptions> & { breaker?: { failures: number; openMs: number } } = {},
  transportOptions: Partial<TransportOptions> & { readonly hosts?: readonly string[] } = {},
): Promise<Bench> {
  let count = 0;
  const time = new ManualTime();
  const server = createServer((request, response) => {
    count += 1;
    answer(count, time)(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a listening TCP server has an address with a port
  const { port } = server.address() as AddressInfo;
  const url = new URL(`http://127.0.0.1:${port}/`);
  const transport = createHttpTransport({
    rules: createHostRules({ hosts: [`http://127.0.0.1:${port}`, ...(transportOptions.hosts ?? [])] }),
    ...transportOptions,
  });
  const breakers = new HostBreakers({ clock: time, ...breaker });
  const client = createRemoteClient({ transport, clock: time, timers: time, random: () => 0.5, breakers, ...options });
  return {
    url,
    time,
    seen: () => count,
    send: async ({ path = "", maxBytes = 1000, signal = never, accept } = {}) => {
      const response = await client.send(
        { url: new URL(path, url), maxBytes, ...(accept === undefined ? {} : { accept }) },
        signal,
      );
      return `${response.status} ${new TextDecoder().decode(response.body ?? new Uint8Array(0))}`;
    },
    [Symbol.asyncDispose]: async () => {
      transport[Symbol.dispose]();
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

const ok: RequestListener = (_request, response) => response.end("fine");
const refuse = (): never => {
  throw new Retry("made no sense", "unreadable");
};
const status =
  (code: number, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(code, headers).end();

function unavailable(pattern: RegExp) {
  return (error: unknown) =>
    error instanceof RasterError && error.reason === "unreachable" && pattern.test(error.message);
}

test("failing tries are repeated with growing pauses", async () => {
  await using b = await bench((n) => (n < 4 ? status(503) : ok));
  assert.equal(await b.send(), "200 fine");
  assert.deepEqual(b.time.waits, [375, 750, 1500]);
});

test("after the last try the failure is unreachable and says what happened", async () => {
  await using b = await bench(() => status(500));
  await assert.rejects(b.send({ path: "/a?sig=secret" }), (error) => {
    assert.ok(unavailable(/127\.0\.0\.1:\d+\/a answered 500, after 4 tries/)(error), String(error));
    assert.ok(!String(error).includes("secret"));
    return true;
  });
  assert.equal(b.seen(), 4);
});

test("Retry-After decides the pause, in seconds or as a date", async () => {
  await using b = await bench((n, time) => {
    if (n === 1) return status(429, { "retry-after": "7" });
    return n === 2 ? status(503, { "retry-after": new Date(time.nowMs + 3000).toUTCString() }) : ok;
  });
  assert.equal(await b.send(), "200 fine");
  assert.deepEqual(b.time.waits, [7000, 3000]);
});

test("a host that wants more patience than there is fails at once and passes its wish on", async () => {
  await using b = await bench(() => status(429, { "retry-after": "3600" }));
  await assert.rejects(b.send(), (error) => error instanceof RasterError && error.retryAfterS === 3600);
  assert.equal(b.seen(), 1);
});

test("other statuses are answers", async () => {
  await using b = await bench(() => status(404));
  assert.equal(await b.send(), "404 ");
  assert.equal(b.seen(), 1);
});

test("an answer that does not come in time is asked for again", async () => {
  await using b = await bench((n, time) =>
    n === 1
      ? () => {
          time.expire();
        }
      : ok,
  );
  assert.equal(await b.send(), "200 fine");
  await using slow = await bench((_n, time) => () => {
    time.expire();
  });
  await assert.rejects(slow.send(), unavailable(/did not answer within 30000 ms, after 4 tries/));
});

test("a connection that breaks before or within the answer is another try", async () => {
  await using b = await bench((n) => {
    if (n === 1) return (request) => request.socket.destroy();
    if (n === 2) {
      return (_request, response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write("half", () => response.destroy());
      };
    }
    return ok;
  });
  assert.equal(await b.send(), "200 fine");
});

test("an answer the caller cannot use is another try, and the last one its error", async () => {
  await using b = await bench(() => ok);
  await assert.rejects(
    b.send({ accept: refuse }),
    (error) => error instanceof RasterError && error.reason === "unreadable",
  );
  assert.equal(b.seen(), 4);
});

test("the breaker opens after failures in a row, lets one probe through, and closes when it succeeds", async () => {
  let healthy = false;
  await using b = await bench(() => (healthy ? ok : status(500)), {
    attempts: 1,
    breaker: { failures: 3, openMs: 10_000 },
  });
  for (let i = 0; i < 3; i++) await assert.rejects(b.send(), unavailable(/answered 500/));
  await assert.rejects(b.send(), unavailable(/left alone for another 10 s/));
  assert.equal(b.seen(), 3);
  b.time.nowMs += 10_000;
  await assert.rejects(b.send(), unavailable(/answered 500/));
  await assert.rejects(b.send(), unavailable(/left alone/));
  assert.equal(b.seen(), 4);
  b.time.nowMs += 10_000;
  healthy = true;
  assert.equal(await b.send(), "200 fine");
  assert.equal(await b.send(), "200 fine");
});

test("while a probe is under way others are turned away", async () => {
  const held: (() => void)[] = [];
  await using b = await bench(
    (n) => (n === 1 ? status(500) : (_request, response) => held.push(() => response.end("fine"))),
    { attempts: 1, breaker: { failures: 1, openMs: 10_000 } },
  );
  await assert.rejects(b.send());
  b.time.nowMs += 10_000;
  const probe = b.send();
  await assert.rejects(b.send(), unavailable(/left alone/));
  while (held.length === 0) await new Promise((resolve) => setImmediate(resolve));
  held[0]?.();
  assert.equal(await probe, "200 fine");
});

test("rate limits do not open the breaker", async () => {
  await using b = await bench(() => status(429), { attempts: 1, breaker: { failures: 2, openMs: 10_000 } });
  for (let i = 0; i < 5; i++) await assert.rejects(b.send(), unavailable(/answered 429/));
  assert.equal(b.seen(), 5);
});

test("an aborted caller gets its reason, and nothing is repeated", async () => {
  const controller = new AbortController();
  await using b = await bench(() => () => {
    controller.abort(new Error("given up"));
  });
  await assert.rejects(b.send({ signal: controller.signal }), /given up/);
  assert.equal(b.seen(), 1);
});

test("no more requests than allowed are under way at once", async () => {
  const held: (() => void)[] = [];
  await using b = await bench(() => (_request, response) => held.push(() => response.end("fine")), { concurrency: 2 });
  const all = [b.send(), b.send(), b.send()];
  while (held.length < 2) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(b.seen(), 2);
  held.shift()?.();
  while (held.length < 2) await new Promise((resolve) => setImmediate(resolve));
  for (const release of held) release();
  assert.deepEqual(await Promise.all(all), ["200 fine", "200 fine", "200 fine"]);
});

test("bodies over the limit are not read, compressed ones by what they expand to", async () => {
  const bomb = gzipSync(new Uint8Array(1_000_000));
  await using b = await bench((n) =>
    n === 1
      ? (_request, response) => response.end("x".repeat(2000))
      : (_request, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
  );
  assert.equal(await b.send(), "200 ");
  assert.equal(await b.send({ maxBytes: 5000 }), "200 ");
});

test("credentials go to their host only, redirects included, and redirects to unlisted hosts are refused", async () => {
  const seen: (string | undefined)[] = [];
  await using other = await bench(() => (request, response) => {
    seen.push(request.headers.authorization);
    response.end("other");
  });
  await using b = await bench(
    (n) => (request, response) => {
      seen.push(request.headers.authorization);
      const location = n === 1 ? other.url.href : "http://169.254.169.254/latest/meta-data/";
      response.writeHead(302, { location }).end();
    },
    {},
    {
      hosts: [`http://${other.url.host}`],
      authorize: (url) =>
        Promise.resolve(url.host === other.url.host ? null : { headers: { authorization: "Bearer secret" } }),
    },
  );
  assert.equal(await b.send(), "200 other");
  assert.deepEqual(seen, ["Bearer secret", undefined]);
  await assert.rejects(b.send(), unavailable(/169\.254\.169\.254\/latest\/meta-data\/ may not be asked/));
});

test("redirects that never end are given up", async () => {
  await using b = await bench(() => status(302, { location: "/" }), { attempts: 1 });
  await assert.rejects(b.send(), unavailable(/redirects more than 5 times/));
  assert.equal(b.seen(), 6);
});

test("a listed name that resolves into a private network is refused when the connection is made", async () => {
  await using b = await bench(() => ok);
  const resolved = (privateHosts: readonly string[]) => {
    const transport = createHttpTransport({
      rules: createHostRules({ hosts: [`http://catalogue.test:${b.url.port}`], privateHosts }),
      lookup: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]),
    });
    const client = createRemoteClient({ transport, clock: b.time, timers: b.time });
    const url = new URL(`http://catalogue.test:${b.url.port}/`);
    return client.send({ url, maxBytes: 100 }, never).finally(() => transport[Symbol.dispose]());
  };
  await assert.rejects(resolved([]), unavailable(/catalogue\.test is at 127\.0\.0\.1/));
  assert.equal(b.seen(), 0);
  assert.equal((await resolved(["catalogue.test"])).status, 200);
});

test("a host that cannot be reached is unreachable with the code of the failure", async () => {
  const gone = await bench(() => ok);
  const { url } = gone;
  await gone[Symbol.asyncDispose]();
  const time = new ManualTime();
  const transport = createHttpTransport({ rules: createHostRules({ hosts: [`http://${url.host}`] }) });
  const client = createRemoteClient({ transport, clock: time, timers: time });
  await assert.rejects(client.send({ url, maxBytes: 10 }, never), unavailable(/ECONNREFUSED, after 4 tries/));
});
