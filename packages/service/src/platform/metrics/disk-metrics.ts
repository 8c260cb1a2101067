import { statfs } from "node:fs/promises";
import type { MetricFamily } from "./exposition.ts";

/** Free and whole size of the disks of the folders, by their names; a folder that cannot be looked at is absent. */
export async function diskMetrics(folders: Readonly<Record<string, string>>): Promise<readonly MetricFamily[]> {
  const found = await Promise.all(
    Object.entries(folders).map(async ([disk, folder]) => {
      try {
        const { bavail, blocks, bsize } = await statfs(folder);
        return [{ labels: { disk }, freeBytes: bavail * bsize, sizeBytes: blocks * bsize }];
      } catch {
        return [];
      }
    }),
  );
  const disks = found.flat();
  return [
    {
      name: "swath_disk_free_bytes",
      help: "Free space of the disks of SWATH_DATA and of the blobs.",
      type: "gauge",
      samples: disks.map(({ labels, freeBytes }) => ({ labels, value: freeBytes })),
    },
    {
      name: "swath_disk_size_bytes",
      help: "Size of the same disks.",
      type: "gauge",
      samples: disks.map(({ labels, sizeBytes }) => ({ labels, value: sizeBytes })),
    },
  ];
}
