import { tmpdir } from "node:os";
import { silentLog } from "@swath/base/log/log";
import { DiskSpace } from "./disk-space.ts";
import { StorageWatch } from "./storage-watch.ts";

/** Room on the disk of temporary files, of which nothing is kept in reserve. */
export function ampleDisk(): DiskSpace {
  return new DiskSpace({ folders: [tmpdir()], reserveBytes: 0 });
}

/** Storage for servers whose operations write no blobs. */
export function ampleStorage(): StorageWatch {
  return new StorageWatch({ blobs: { probe: async () => {} }, disk: ampleDisk(), folders: [], log: silentLog });
}
