import assert from "node:assert/strict";
import { test } from "node:test";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { createParquetWriters, type ParquetWriting } from "./parquet-writers.ts";

const TABLE = {
  columns: {
    name: "text",
    at: "instant",
    size: "int64",
    box: { struct: { xmin: "double", ymax: "double" } },
    tags: { list: "text" },
    links: { list: { struct: { rel: "text", sizes: { list: "int32" } } } },
  },
  metadata: { geo: "{}" },
} as const;

function rowOf(n: number): Readonly<Record<string, unknown>> {
  if (n % 3 === 0) return { name: `row ${n}` };
  return {
    name: `row ${n}`,
    at: new Date(n * 1000),
    size: 3_000_000_000n + BigInt(n),
    box: { xmin: n / 4, ymax: -n },
    tags: n % 3 === 1 ? [] : ["a", `b${n}`],
    links: [{ rel: "self", sizes: [n, 2] }, { rel: "none" }],
  };
}

async function fileOf(writing: ParquetWriting, rows: number, together: number): Promise<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  for (let first = 0; first < rows; first += together) {
    const count = Math.min(together, rows - first);
    pieces.push(await writing.add(Array.from({ length: count }, (_, i) => rowOf(first + i))));
  }
  pieces.push(await writing.finish());
  return new Uint8Array(Buffer.concat(pieces)).buffer;
}

/** Without absent members, which are null or undefined in a file that was read. */
function present(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(present);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, present(member)]));
}

test("rows with lists and structures come back from the file, group by group", async () => {
  using writing = createParquetWriters().open("a", TABLE);
  const file = await fileOf(writing, 4_500, 250);
  assert.deepEqual(
    parquetMetadata(file).row_groups.map(({ num_rows: rows }) => Number(rows)),
    [2000, 2000, 500],
  );
  const rows = await parquetReadObjects({ file });
  assert.deepEqual(
    rows.map(present),
    Array.from({ length: 4_500 }, (_, n) => rowOf(n)),
  );
});

test("two files are written side by side, and one without rows is a file", async () => {
  const writers = createParquetWriters();
  using one = writers.open("a", TABLE);
  using other = writers.open("a", TABLE);
  using empty = writers.open("b", TABLE);
  const files = await Promise.all([fileOf(one, 700, 100), fileOf(other, 40, 7), fileOf(empty, 0, 1)]);
  const counts = files.map((file) => Number(parquetMetadata(file).num_rows));
  assert.deepEqual(counts, [700, 40, 0]);
});

test("a share has two files at a time and the process sixteen; a disposed file makes room", () => {
  const writers = createParquetWriters();
  using stack = new DisposableStack();
  const open = (share: string): ParquetWriting => stack.use(writers.open(share, TABLE));
  const first = open("slow");
  open("slow");
  assert.throws(() => open("slow"), { code: "TOO-MANY-REQUESTS" });
  for (let n = 0; n < 14; n += 1) open(`share ${n}`);
  assert.throws(() => open("late"), { code: "SERVICE-UNAVAILABLE" });
  first[Symbol.dispose]();
  open("late");
});
