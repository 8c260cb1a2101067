import assert from "node:assert/strict";
import { upload } from "../main-job.ts";
import { coastGeotiff } from "../make-geotiff.ts";
import type { RawClient } from "../raw-client.ts";

/** Days of the scenes, their stated cloud, and the reflectance of their vegetation in the near infrared. */
const DAYS = [
  { day: "2024-06-03", nearInfrared: 1_500, cloudCover: 0 },
  { day: "2024-06-13", nearInfrared: 2_500, cloudCover: 0.1 },
  { day: "2024-06-23", nearInfrared: 3_500, cloudCover: 0.3 },
  { day: "2024-07-03", nearInfrared: 3_000, cloudCover: 0.8 },
] as const;

const RED = 500;
const TEXTURE_STEPS = 31;

/** A part of the vegetation, and the query of a link that searches it. */
export const SERIES_VIEW = "aoi=15.012,0.885,15.02,0.9&t=2024-06-01/2024-07-31&d=local.uploads&v=15.016,0.8925,14";

/** Ingests one place at four dates: its vegetation grows, then fades. */
export async function ingestCoastSeries(client: RawClient): Promise<void> {
  for (const { day, nearInfrared, cloudCover } of DAYS) {
    const bytes = coastGeotiff({
      value: (band, column, row) =>
        ([400, 700, RED, nearInfrared][band] ?? 0) + ((column * 7 + row * 13) % TEXTURE_STEPS),
    });
    const filepath = await upload(client, bytes, ".geotiff", `coast-${day}`);
    const metadata = { datetime: `${day} 10:00:00`, cloudCover };
    const { status, body } = await client.post("/imagery/ingest-scene", { provider: "local", filepath, metadata });
    assert.equal(status, 200, JSON.stringify(body));
  }
}

/** NDVI of the vegetation by date: both bands have the same texture, whose steps are equally frequent. */
export function expectedNdvi(): readonly number[] {
  return DAYS.map(({ nearInfrared }) => {
    const steps = Array.from({ length: TEXTURE_STEPS }, (_, step) => step);
    return steps.reduce((sum, step) => sum + (nearInfrared - RED) / (nearInfrared + RED + 2 * step), 0) / steps.length;
  });
}
