import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { addEntry, oldestOfMostNumerous, removeEntry, type OwnedEntries } from "./owned-entries.ts";
import { addressShare } from "./share-name.ts";
import type { TrafficLimits } from "./traffic-limits.ts";

/** A body that the client of a connection is sending. */
export interface AwaitedBody {
  readonly request: IncomingMessage;
  /** A small one has one time limit for the whole; its bytes gain it no time. */
  readonly isSmall: boolean;
  readonly giveUp: () => void;
}

export interface Connection {
  readonly socket: Socket;
  /** Caller of the latest request. */
  owner: string;
  /** Requests whose headers have arrived and whose answers are not sent. */
  openRequests: number;
  body: AwaitedBody | null;
  /** Bytes received and sent until the latest look at the connection. */
  receivedBytes: number;
  sentBytes: number;
  /** Pauses that are left to the client as a sender and as a reader, milliseconds. */
  sendPauseMs: number;
  readPauseMs: number;
}

/** Open connections of a server. */
export interface Connections {
  readonly limits: TrafficLimits;
  readonly open: Map<Socket, Connection>;
  /** Those that wait for their clients: idle ones, and those whose headers or bodies are arriving. */
  readonly waiting: OwnedEntries<Connection>;
}

export function createConnections(limits: TrafficLimits): Connections {
  return { limits, open: new Map(), waiting: new Map() };
}

/**
 * Keeps track of the connections of a server. Beyond the bound, one that waits for its client is closed: the oldest of
 * the caller with the most. Thousands of half-sent requests thus close each other, and refuse nobody.
 */
export function watchConnections(connections: Connections, server: Server): void {
  const { limits, open, waiting } = connections;
  server.on("connection", (socket: Socket) => {
    const connection: Connection = {
      socket,
      owner: addressShare(socket.remoteAddress ?? ""),
      openRequests: 0,
      body: null,
      receivedBytes: 0,
      sentBytes: 0,
      sendPauseMs: limits.bodyMs,
      readPauseMs: limits.stallMs,
    };
    open.set(socket, connection);
    addEntry(waiting, connection.owner, connection);
    socket.once("close", () => {
      open.delete(socket);
      removeEntry(waiting, connection.owner, connection);
    });
    if (open.size > limits.maxConnections) oldestOfMostNumerous(waiting)?.socket.destroy();
  });
}

/** The headers of a request have arrived. */
export function requestBegins(connections: Connections, socket: Socket): void {
  change(connections, socket, (connection) => {
    connection.openRequests += 1;
  });
}

/** The answer of a request has been sent, or never will be. */
export function requestEnds(connections: Connections, socket: Socket): void {
  change(connections, socket, (connection) => {
    connection.openRequests -= 1;
    connection.body = null;
  });
}

/** The connection counts for this caller from now on. */
export function ownConnection(connections: Connections, socket: Socket, owner: string): void {
  change(connections, socket, (connection) => {
    connection.owner = owner;
  });
}

export function bodyBegins(connections: Connections, socket: Socket, body: AwaitedBody): void {
  change(connections, socket, (connection) => {
    connection.body = body;
    connection.receivedBytes = socket.bytesRead;
    connection.sendPauseMs = connections.limits.bodyMs;
  });
}

export function bodyEnds(connections: Connections, socket: Socket): void {
  change(connections, socket, (connection) => {
    connection.body = null;
  });
}

function change({ open, waiting }: Connections, socket: Socket, apply: (connection: Connection) => void): void {
  const connection = open.get(socket);
  if (connection === undefined) return;
  removeEntry(waiting, connection.owner, connection);
  apply(connection);
  if (connection.openRequests === 0 || connection.body !== null) addEntry(waiting, connection.owner, connection);
}
