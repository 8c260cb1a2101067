import assert from "node:assert/strict";
import { test } from "node:test";
import { PMTiles, zxyToTileId, type Source } from "pmtiles";
import type { Tile } from "@swath/kernel/tiles/tile";
import { planPmtiles, tileIdOf, type KeptTile } from "./pmtiles.ts";

function sourceOf(bytes: Uint8Array): Source {
  return {
    getKey: () => "archive",
    getBytes: async (offset, length) => ({ data: Uint8Array.from(bytes.subarray(offset, offset + length)).buffer }),
  };
}

/** All tiles of zooms, the bytes of each by its place. */
function keptTiles(
  maxZoom: number,
  contentOf: (tile: Tile) => number,
): {
  readonly tiles: readonly KeptTile[];
  readonly spool: Uint8Array;
} {
  const tiles = Array.from({ length: maxZoom + 1 }, (_, z) =>
    Array.from({ length: 4 ** z }, (_tile, i): Tile => [z, i % 2 ** z, Math.floor(i / 2 ** z)]),
  ).flat();
  const spool = Uint8Array.from({ length: 4 ** (maxZoom + 1) }, (_, i) => i % 251);
  return {
    tiles: tiles.map((tile) => {
      const start = contentOf(tile);
      return { tile, start, length: 1 + (start % 3) };
    }),
    spool,
  };
}

async function archiveOf(tiles: readonly KeptTile[], spool: Uint8Array): Promise<Uint8Array> {
  const { header, parts, sizeBytes } = await planPmtiles(tiles, {
    tileType: "webp",
    bounds: [-10.5, -20.25, 30, 40],
    metadata: { name: "map" },
  });
  const bytes = Buffer.concat([header, ...parts.map(({ start, length }) => spool.subarray(start, start + length))]);
  assert.equal(bytes.length, sizeBytes);
  return bytes;
}

test("the places of all tiles down to zoom 7 are those of the reader of Protomaps", () => {
  for (const { tile } of keptTiles(7, () => 0).tiles) assert.equal(tileIdOf(tile), zxyToTileId(...tile));
  assert.equal(tileIdOf([20, 1_000_000, 333_333]), zxyToTileId(20, 1_000_000, 333_333));
});

test("the reader of Protomaps finds header, metadata and every tile, and nothing beside them", async () => {
  const { tiles, spool } = keptTiles(3, ([z, x, y]) => z * 16 + x + y);
  const archive = new PMTiles(sourceOf(await archiveOf(tiles, spool)));
  const header = await archive.getHeader();
  assert.deepEqual(
    [header.minZoom, header.maxZoom, header.tileType, header.minLon, header.minLat, header.maxLon, header.maxLat],
    [0, 3, 4, -10.5, -20.25, 30, 40],
  );
  assert.equal(header.clustered, true);
  assert.equal(header.numAddressedTiles, tiles.length);
  // Tiles of one diagonal are equal.
  assert.equal(header.numTileContents, 1 + 3 + 7 + 15);
  assert.deepEqual(await archive.getMetadata(), { name: "map" });
  for (const { tile, start, length } of tiles) {
    const found = await archive.getZxy(...tile);
    assert.deepEqual(new Uint8Array(found!.data), spool.slice(start, start + length), tile.join("/"));
  }
  assert.equal(await archive.getZxy(4, 0, 0), undefined);
});

test("a run of equal tiles is one entry", async () => {
  const { tiles, spool } = keptTiles(5, () => 7);
  const header = await new PMTiles(sourceOf(await archiveOf(tiles, spool))).getHeader();
  assert.deepEqual([header.numTileEntries, header.numTileContents], [1, 1]);
});

test("a directory that is too long for the first request of a reader has leaves", async () => {
  let seed = 1;
  const { tiles, spool } = keptTiles(7, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % 60_000;
  });
  const archive = new PMTiles(sourceOf(await archiveOf(tiles, spool)));
  const header = await archive.getHeader();
  assert.ok(header.leafDirectoryLength! > 16_384 && header.rootDirectoryLength + 127 <= 16_384);
  for (const { tile, start, length } of tiles.filter((_, i) => i % 97 === 0)) {
    const found = await archive.getZxy(...tile);
    assert.deepEqual(new Uint8Array(found!.data), spool.slice(start, start + length), tile.join("/"));
  }
});
