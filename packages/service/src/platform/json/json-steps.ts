/** Bytes that are parsed in one step: a millisecond or two for the densest JSON. */
const STEP_BYTES = 64 * 1024;

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

type Container = unknown[] | Record<string, unknown>;

/** A container whose members are read piece by piece. */
interface Level {
  readonly value: Container;
  /** First byte that is not in the value yet. */
  from: number;
  /** Whether a container that was read by itself ends right before `from`. */
  afterChild: boolean;
  /** Whether another member must follow. */
  afterComma: boolean;
}

/** Positions of the containers around a byte, by depth. */
interface Open {
  readonly at: number;
  readonly isList: boolean;
  /** Byte after the latest comma or the opening bracket. */
  memberFrom: number;
}

export interface JsonLimits {
  /** @throws when containers are nested deeper than allowed */
  readonly checkDepth: (depth: number) => void;
  /** Looks at each piece that was parsed, with its text. */
  readonly checkPiece: (piece: unknown, text: string) => void;
  /** Bytes of a step; for tests. */
  readonly stepBytes?: number;
}

/**
 * `JSON.parse` of a body in steps, so that its caller can give way to others between them. Members of a large container
 * are parsed in groups. Returns undefined for a body that holds no container: that is for `JSON.parse`.
 *
 * @throws {SyntaxError} where `JSON.parse` would, and whatever the limits throw
 */
export function* jsonSteps(body: Buffer, limits: JsonLimits): Generator<void, Container | undefined> {
  const { checkDepth, stepBytes = STEP_BYTES } = limits;
  const open: Open[] = [];
  const levels: Level[] = [];
  let root: Container | undefined;
  let rootEnd = 0;
  for (let i = 0; i < body.length; i += 1) {
    const byte = body[i];
    if (byte === QUOTE) {
      i = endOfText(body, i);
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      open.push({ at: i, isList: byte === OPEN_LIST, memberFrom: i + 1 });
      checkDepth(open.length);
      if (open.length === 1) {
        if (root !== undefined) throw new SyntaxError("more than one value");
        requireBlank(body, 0, i);
        root = byte === OPEN_LIST ? [] : {};
        levels.push(levelOf(root, i + 1));
      }
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      if (open.pop()?.isList !== (byte === CLOSE_LIST)) throw new SyntaxError("a bracket does not fit");
      if (open.length === levels.length - 1) {
        closeLevel(body, levels, i, limits);
        if (open.length === 0) rootEnd = i + 1;
        yield;
      }
    } else if (byte === COMMA) {
      const inner = open.at(-1);
      if (inner === undefined) throw new SyntaxError("a comma outside of a container");
      inner.memberFrom = i + 1;
      const level = levels.at(-1);
      if (level === undefined) throw new SyntaxError("a comma outside of a container");
      const isOwn = open.length === levels.length;
      if (isOwn && level.afterChild) skipComma(body, level, i);
      else if (i - level.from >= stepBytes) {
        descend(body, levels, open, limits);
        takeMembers(body, levels.at(-1)!, i, limits);
        yield;
      }
    }
  }
  if (root === undefined) return undefined;
  if (open.length > 0) throw new SyntaxError("a bracket is not closed");
  requireBlank(body, rootEnd, body.length);
  return root;
}

function levelOf(value: Container, from: number): Level {
  return { value, from, afterChild: false, afterComma: false };
}

/** The closing quotation mark of a text. */
function endOfText(body: Buffer, start: number): number {
  for (let i = start + 1; i < body.length; i += 1) {
    if (body[i] === BACKSLASH) i += 1;
    else if (body[i] === QUOTE) return i;
  }
  throw new SyntaxError("a text is not closed");
}

function requireBlank(body: Buffer, from: number, to: number): void {
  if (!isBlank(body.toString("utf8", from, to))) throw new SyntaxError("something stands where nothing may");
}

/** White space of JSON. */
function isBlank(text: string): boolean {
  return /^[ \t\n\r]*$/.test(text);
}

/** Reads the container around a byte by itself, down from the innermost one that is read so. */
function descend(body: Buffer, levels: Level[], open: readonly Open[], limits: JsonLimits): void {
  while (levels.length < open.length) {
    const [outer, inner] = [open[levels.length - 1]!, open[levels.length]!];
    const level = levels.at(-1)!;
    if (level.afterChild) throw new SyntaxError("a comma is missing");
    if (outer.memberFrom > level.from) takeMembers(body, level, outer.memberFrom - 1, limits);
    const child: Container = inner.isList ? [] : {};
    add(level.value, nameBefore(body, level, inner.at, limits), child);
    level.afterChild = true;
    levels.push(levelOf(child, inner.at + 1));
  }
}

/** The name of a member whose value begins at a byte; null in a list. */
function nameBefore(body: Buffer, level: Level, at: number, { checkPiece }: JsonLimits): string | null {
  const text = body.toString("utf8", level.from, at);
  if (Array.isArray(level.value)) {
    if (!isBlank(text)) throw new SyntaxError("a comma is missing");
    return null;
  }
  const piece: unknown = JSON.parse(`{${text}0}`);
  checkPiece(piece, text);
  const [name] = Object.keys(piece as object);
  if (name === undefined) throw new SyntaxError("a name is missing");
  return name;
}

/** Parses the members up to a comma, or up to the end of their container. */
function takeMembers(body: Buffer, level: Level, to: number, { checkPiece }: JsonLimits): void {
  const text = body.toString("utf8", level.from, to);
  const isList = Array.isArray(level.value);
  const piece: unknown = JSON.parse(isList ? `[${text}]` : `{${text}}`);
  checkPiece(piece, text);
  let count = 0;
  if (Array.isArray(piece)) {
    for (const member of piece) count = (level.value as unknown[]).push(member);
  } else {
    for (const [name, member] of Object.entries(piece as object)) {
      add(level.value, name, member);
      count += 1;
    }
  }
  if (count === 0) throw new SyntaxError("a member is missing");
  level.from = to + 1;
  level.afterComma = true;
}

function skipComma(body: Buffer, level: Level, at: number): void {
  requireBlank(body, level.from, at);
  level.from = at + 1;
  level.afterChild = false;
  level.afterComma = true;
}

function closeLevel(body: Buffer, levels: Level[], at: number, limits: JsonLimits): void {
  const level = levels.pop()!;
  if (level.afterChild) requireBlank(body, level.from, at);
  else if (level.afterComma || !isBlank(body.toString("utf8", level.from, at))) takeMembers(body, level, at, limits);
  const outer = levels.at(-1);
  if (outer !== undefined) outer.from = at + 1;
}

/** As `JSON.parse` does: a member of any name is the container's, also `__proto__`. */
function add(container: Container, name: string | null, value: unknown): void {
  if (Array.isArray(container)) container.push(value);
  else if (name === "__proto__") {
    Object.defineProperty(container, name, { value, writable: true, enumerable: true, configurable: true });
  } else if (name !== null) container[name] = value;
}
