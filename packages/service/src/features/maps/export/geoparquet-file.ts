import { ByteWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import { giveWay, isUsedUp, loopShare } from "@swath/base/concurrency/loop-share";
import { wkbOf } from "@swath/kernel/geometry/wkb";
import { cellOf, type FeatureTable } from "./feature-table.ts";

const GEOMETRY = "geometry";
const ROWS_OF_GROUP = 2_000;
const TYPES = { boolean: "BOOLEAN", number: "DOUBLE", text: "STRING" } as const;

/** The features as GeoParquet 1.1: WKB in WGS84, longitude before latitude. */
export async function geoParquetOf(table: FeatureTable, signal: AbortSignal): Promise<Uint8Array> {
  const { features, columns } = table;
  const types = [
    { name: GEOMETRY, type: "BYTE_ARRAY" as const },
    ...columns.map(({ name, type }) => ({ name, type: TYPES[type] })),
  ];
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({
    writer: bytes,
    schema: schemaFromColumnData({ columnData: types.map((type) => ({ ...type, nullable: true, data: [] })) }),
    createdBy: "Swath",
    kvMetadata: [{ key: "geo", value: JSON.stringify(geoMetadata(table)) }],
  });
  const share = loopShare();
  for (let from = 0; from < features.length; from += ROWS_OF_GROUP) {
    const group = features.slice(from, from + ROWS_OF_GROUP);
    const cells = columns.map((column) => ({
      name: column.name,
      data: group.map((feature) => cellOf(feature, column)),
    }));
    await writer.write({
      columnData: [{ name: GEOMETRY, data: group.map(({ geometry }) => wkbOf(geometry)) }, ...cells],
      rowGroupSize: group.length,
    });
    if (isUsedUp(share)) await giveWay(share, signal);
  }
  await writer.finish();
  return new Uint8Array(bytes.buffer, 0, bytes.index);
}

/** @see https://geoparquet.org/releases/v1.1.0/ */
function geoMetadata({ features, bounds }: FeatureTable): object {
  const types = new Set<string>(features.map(({ geometry }) => geometry.type));
  return {
    version: "1.1.0",
    primary_column: GEOMETRY,
    columns: {
      [GEOMETRY]: {
        encoding: "WKB",
        geometry_types: [...types].toSorted(),
        ...(bounds === null ? {} : { bbox: bounds }),
      },
    },
  };
}
