import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { parquetSchema, type ParquetColumns, type ParquetRow } from "./parquet-column.ts";

/** A Parquet file without its rows. */
export interface ParquetTableOptions {
  readonly columns: ParquetColumns;
  /** Metadata of the file by key. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** A Parquet file that is written as its rows come. */
export interface ParquetTable {
  /** The bytes that are finished; none while a group of rows fills. */
  add(rows: readonly ParquetRow[]): Uint8Array<ArrayBuffer>;
  /** The last bytes. */
  finish(): Uint8Array<ArrayBuffer>;
}

/** Readers want large groups, memory small ones. */
const ROWS_OF_GROUP = 2_000;

export function parquetTable({ columns, metadata }: ParquetTableOptions): ParquetTable {
  const bytes = new ByteWriter();
  const names = Object.keys(columns);
  const writer = new ParquetWriter({
    writer: bytes,
    schema: parquetSchema(columns),
    createdBy: "Swath",
    kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
  });
  let waiting: ParquetRow[] = [];

  function write(): void {
    if (waiting.length === 0) return;
    const columnData = names.map((name) => ({ name, data: waiting.map((row) => row[name]) }));
    void writer.write({ columnData, rowGroupSize: waiting.length });
    waiting = [];
  }

  function written(): Uint8Array<ArrayBuffer> {
    const made = new Uint8Array(bytes.buffer.slice(0, bytes.index));
    bytes.index = 0;
    return made;
  }

  return {
    add(rows) {
      for (const row of rows) {
        waiting.push(row);
        if (waiting.length >= ROWS_OF_GROUP) write();
      }
      return written();
    },
    finish() {
      write();
      void writer.finish();
      return written();
    },
  };
}
