import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import type { SceneFixture } from "./testing.ts";

/** Scenes of several folders whose blobs have different names. */
export interface JoinedFixtures {
  readonly stored: readonly StoredScene[];
  readonly local: Pick<SceneFixture["local"], "localPath" | "read">;
  readonly remote: Pick<SceneFixture["local"], "localPath" | "read">;
}

export function joinFixtures(fixtures: readonly SceneFixture[]): JoinedFixtures {
  const owner = (key: string): SceneFixture => fixtures[Number(key.split("/")[0])]!;
  const blobs = (kind: "local" | "remote"): JoinedFixtures["local"] => ({
    localPath: (key) => owner(key)[kind].localPath(own(key)),
    read: (key, offset, length, options) => owner(key)[kind].read(own(key), offset, length, options),
  });
  return {
    stored: fixtures.map(({ stored }, index) => ({ ...stored, raster: renamed(stored.raster, index) })),
    local: blobs("local"),
    remote: blobs("remote"),
  };
}

function own(key: string): string {
  return key.slice(key.indexOf("/") + 1);
}

function renamed(raster: StoredRaster, index: number): StoredRaster {
  return {
    ...raster,
    bands: raster.bands.map((band) => ({
      ...band,
      key: `${index}/${band.key}`,
      maskKey: band.maskKey === null ? null : `${index}/${band.maskKey}`,
    })),
  };
}
