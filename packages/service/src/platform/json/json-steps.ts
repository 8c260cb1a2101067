/** Bytes that are parsed in one step: half a millisecond for the densest JSON. */
const STEP_BYTES = 16 * 1024;

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

/** Containers around a byte: their first bytes, and where the member that holds the byte begins, by depth. */
interface Open {
  depth: number;
  readonly at: number[];
  readonly memberFrom: number[];
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
  const open: Open = { depth: 0, at: [], memberFrom: [] };
  const levels: Level[] = [];
  let root: Container | undefined;
  let rootEnd = 0;
  for (let i = 0; ; i += 1) {
    i = nextStop(body, i, { open, levels }, limits);
    if (i >= body.length) break;
    const byte = body[i];
    if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (root !== undefined) throw new SyntaxError("more than one value");
      requireBlank(body, 0, i);
      root = byte === OPEN_LIST ? [] : {};
      levels.push(levelOf(root, i + 1));
      continue;
    }
    const level = levels.at(-1);
    if (level === undefined) throw new SyntaxError("a comma outside of a container");
    if (byte !== COMMA) {
      closeLevel(body, levels, i, limits);
      if (open.depth === 0) rootEnd = i + 1;
    } else if (open.depth === levels.length && level.afterChild) {
      skipComma(body, level, i);
      continue;
    } else {
      descend(body, levels, open, limits);
      takeMembers(body, levels.at(-1)!, i, limits);
    }
    yield;
  }
  if (root === undefined) return undefined;
  if (open.depth > 0) throw new SyntaxError("a bracket is not closed");
  requireBlank(body, rootEnd, body.length);
  return root;
}

/**
 * The next byte that the steps look at: the first bracket, the last one of a level, a comma after a container that was
 * read by itself, or one where a step ends; the length of the body when there is none. A function of its own: the engine
 * compiles a generator with so long a loop to code that takes three times as long.
 */
function nextStop(
  body: Buffer,
  from: number,
  { open, levels }: { readonly open: Open; readonly levels: readonly Level[] },
  { checkDepth, stepBytes = STEP_BYTES }: JsonLimits,
): number {
  const { at, memberFrom } = open;
  const level = levels.at(-1);
  const stepEnd = (level?.from ?? 0) + stepBytes;
  const ownCommaDepth = level?.afterChild === true ? levels.length : -1;
  let { depth } = open;
  let i = from;
  loop: for (; i < body.length; i += 1) {
    const byte = body[i]!;
    switch (byte) {
      case QUOTE:
        i = endOfText(body, i);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        at[depth] = i;
        memberFrom[depth] = i + 1;
        depth += 1;
        checkDepth(depth);
        if (depth === 1) break loop;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth -= 1;
        // The brackets of a kind are two apart in ASCII.
        if (depth < 0 || body[at[depth]!] !== byte - 2) throw new SyntaxError("a bracket does not fit");
        if (depth === levels.length - 1) break loop;
        break;
      case COMMA:
        if (depth === 0) throw new SyntaxError("a comma outside of a container");
        memberFrom[depth - 1] = i + 1;
        if (i >= stepEnd || depth === ownCommaDepth) break loop;
        break;
      default:
    }
  }
  open.depth = depth;
  return i;
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
function descend(body: Buffer, levels: Level[], open: Open, limits: JsonLimits): void {
  while (levels.length < open.depth) {
    const memberFrom = open.memberFrom[levels.length - 1]!;
    const at = open.at[levels.length]!;
    const level = levels.at(-1)!;
    if (level.afterChild) throw new SyntaxError("a comma is missing");
    if (memberFrom > level.from) takeMembers(body, level, memberFrom - 1, limits);
    const child: Container = body[at] === OPEN_LIST ? [] : {};
    add(level.value, nameBefore(body, level, at, limits), child);
    level.afterChild = true;
    levels.push(levelOf(child, at + 1));
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
  const [open, close] = Array.isArray(level.value) ? [OPEN_LIST, CLOSE_LIST] : [OPEN_OBJECT, CLOSE_OBJECT];
  // Brackets around a text would copy it within the heap.
  const bytes = Buffer.allocUnsafe(to - level.from + 2);
  bytes[0] = open;
  body.copy(bytes, 1, level.from, to);
  bytes[bytes.length - 1] = close;
  const text = bytes.toString("utf8");
  const piece: unknown = JSON.parse(text);
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
