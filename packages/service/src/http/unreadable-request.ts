import { maxHeaderSize } from "node:http";
import type { Socket } from "node:net";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { statusOf } from "../error-status.ts";
import { errorBody } from "./render-error.ts";

/** How long a connection is kept for its client to read the refusal, milliseconds. */
const LINGER_MS = 1_000;

interface UnreadableFault {
  /** Node names the fault by it. */
  readonly code?: string;
  /** A Buffer of the bytes that were read last, unlike its declared type. */
  readonly rawPacket?: unknown;
}

const HEAD = Buffer.from("HEAD ");

/** Answers a client whose request ends before there is one, and closes the connection. */
export function refuseUnreadable(
  fault: UnreadableFault,
  socket: Socket,
  standardHeaders: Readonly<Record<string, string>>,
): void {
  if (!socket.writable) return;
  const error = refusalOf(fault);
  // A request without HTTP has no path.
  const body = JSON.stringify(errorBody(error, ""));
  const headers = Object.entries({
    ...standardHeaders,
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = statusOf(error);
  const reason = status === 408 ? "Request Timeout" : "Bad Request";
  // An answer to HEAD ends with its headers: a body would be taken for another answer.
  const { rawPacket } = fault;
  const isHead = Buffer.isBuffer(rawPacket) && rawPacket.subarray(0, HEAD.length).equals(HEAD);
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${headers.join("")}\r\n${isHead ? "" : body}`);
  // A client that never closes its side would hold the connection for ever.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function refusalOf({ code }: UnreadableFault): ServiceError {
  if (code === "HPE_HEADER_OVERFLOW") {
    return new ServiceError(
      "BAD-REQUEST",
      `The address and the headers have more than ${maxHeaderSize} bytes together; shorten the parameters`,
    );
  }
  return code === "ERR_HTTP_REQUEST_TIMEOUT"
    ? new ServiceError("REQUEST-TIMEOUT", "The request did not arrive in time")
    : new ServiceError("BAD-REQUEST", "The request is not HTTP");
}
