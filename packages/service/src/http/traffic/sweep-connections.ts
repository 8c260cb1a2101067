import type { Connection, Connections } from "./connections.ts";
import { addEntry } from "./owned-entries.ts";
import { pauseLeftMs, type Pace } from "./pace.ts";

/** Looks at every connection once: bodies that arrive too slowly are given up, answers read too slowly are cut. */
export function sweepConnections(connections: Connections, elapsedMs: number): void {
  const { limits, open } = connections;
  const pace: Pace = { longestPauseMs: limits.stallMs, minBytesPerSecond: limits.minBytesPerSecond };
  for (const connection of open.values()) {
    sweepSender(connections, connection, pace, elapsedMs);
    sweepReader(connection, pace, elapsedMs);
  }
}

function sweepSender({ waiting }: Connections, connection: Connection, pace: Pace, elapsedMs: number): void {
  const { body, owner, receivedBytes, socket } = connection;
  const received = socket.bytesRead - receivedBytes;
  connection.receivedBytes = socket.bytesRead;
  if (body === null) return;
  // A client that still sends is younger than one that does not.
  if (received > 0) addEntry(waiting, owner, connection);
  // Bytes that lie unread are no fault of the client.
  if (body.request.readableLength > 0) return;
  connection.sendPauseMs = pauseLeftMs(pace, connection.sendPauseMs, elapsedMs, body.isSmall ? 0 : received);
  if (connection.sendPauseMs <= 0) body.giveUp();
}

function sweepReader(connection: Connection, pace: Pace, elapsedMs: number): void {
  const { socket } = connection;
  const sent = socket.bytesWritten - socket.writableLength;
  const taken = sent - connection.sentBytes;
  connection.sentBytes = sent;
  if (socket.writableLength === 0) {
    connection.readPauseMs = pace.longestPauseMs;
    return;
  }
  connection.readPauseMs = pauseLeftMs(pace, connection.readPauseMs, elapsedMs, taken);
  if (connection.readPauseMs <= 0) socket.destroy();
}
