import { parentPort } from "node:worker_threads";
import { ThreadCalls, type CallAnswer } from "@swath/base/threads/thread-calls";
import { workInBackground } from "@swath/base/threads/work-in-background";
import type { ToParquetThread } from "./parquet-calls.ts";
import { parquetTable, type ParquetTable } from "./parquet-table.ts";

workInBackground();

/** Files under way. */
const tables = new Map<number, ParquetTable>();

function tableOf(id: number): ParquetTable {
  const table = tables.get(id);
  if (table === undefined) throw new Error(`no file ${id} is being written`);
  return table;
}

function answerOf(bytes: Uint8Array<ArrayBuffer>): CallAnswer {
  return { output: bytes, transfer: [bytes.buffer] };
}

const CALLS: { readonly [Name in keyof ToParquetThread]: (input: ToParquetThread[Name]) => CallAnswer } = {
  open({ id, options }) {
    tables.set(id, parquetTable(options));
    return { output: null };
  },
  add: ({ id, rows }) => answerOf(tableOf(id).add(rows)),
  finish: ({ id }) => answerOf(tableOf(id).finish()),
  close({ id }) {
    tables.delete(id);
    return { output: null };
  },
};

if (parentPort === null) throw new Error("this is the entry of a thread");
// oxlint-disable-next-line no-new -- it listens to the port
new ThreadCalls(parentPort, async (name, input) => CALLS[name as keyof ToParquetThread](input as never));
