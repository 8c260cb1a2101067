import { ByteWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import type { Datapoint } from "@swath/contract/features/datacube/points-contract";
import { parseInstant } from "@swath/kernel/time/instant";

/** Columns of a file of datapoints; times are milliseconds since 1970, UTC. */
const COLUMNS = [
  { name: "project", type: "STRING" },
  { name: "algorithm", type: "STRING" },
  { name: "source", type: "STRING" },
  { name: "aoiId", type: "STRING" },
  { name: "startDatetime", type: "TIMESTAMP" },
  { name: "endDatetime", type: "TIMESTAMP" },
  { name: "version", type: "STRING" },
  { name: "firstSeen", type: "TIMESTAMP" },
  { name: "value", type: "DOUBLE" },
  { name: "unit", type: "STRING" },
  { name: "confidence", type: "DOUBLE" },
  { name: "cloudCover", type: "DOUBLE" },
  { name: "sceneId", type: "STRING" },
  { name: "mapId", type: "STRING" },
  { name: "count", type: "INT32" },
] as const satisfies readonly { readonly name: keyof Datapoint; readonly type: string }[];

/** A Parquet file that is written group by group, so that memory holds one group. */
export interface ParquetSpool {
  add(points: readonly Datapoint[]): Promise<void>;
  /** Writes the end of the file. */
  finish(): Promise<void>;
}

/** @param append writes bytes at the end of the file */
export function parquetSpool(append: (bytes: Uint8Array) => Promise<unknown>): ParquetSpool {
  const bytes = new ByteWriter();
  const schema = schemaFromColumnData({
    columnData: COLUMNS.map(({ name, type }) => ({ name, type, nullable: true, data: [] })),
  });
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: "Swath" });
  const flush = async (): Promise<void> => {
    await append(new Uint8Array(bytes.buffer, 0, bytes.index));
    bytes.index = 0;
  };
  return {
    async add(points) {
      if (points.length === 0) return;
      await writer.write({
        columnData: COLUMNS.map(({ name, type }) => ({ name, data: points.map((point) => cellOf(point[name], type)) })),
        rowGroupSize: points.length,
      });
      await flush();
    },
    async finish() {
      await writer.finish();
      await flush();
    },
  };
}

function cellOf(value: Datapoint[(typeof COLUMNS)[number]["name"]], type: string): unknown {
  if (value === undefined || value === null) return null;
  return type === "TIMESTAMP" ? new Date(parseInstant(String(value)) ?? Number.NaN) : value;
}
