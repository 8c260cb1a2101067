import type { SetContractRequest } from "@swath/contract/features/tasking/contracts-contract";

/** Test support: a contract with a radar provider that uses every term. */
export const RADAR_CONTRACT: SetContractRequest = {
  id: "radar-2026",
  name: "Radar 2026",
  provider: "radar-multi",
  isDefault: true,
  start: "2026-01-01T00:00:00Z",
  end: "2027-01-01T00:00:00Z",
  deliveryLocations: [
    { method: "ingest", path: "/", id: "store" },
    { method: "s3", path: "s3://captures/", id: "bucket" },
  ],
  imagingModes: { allowed: ["spotlight", "stripmap"] },
  imagingModeCapabilities: [
    { mode: "spotlight", productTypes: { allowed: ["GRD", "SLC"], slaApplicable: ["GRD"] } },
    { mode: "stripmap", productTypes: { allowed: ["GRD"], slaApplicable: [] } },
  ],
  priority: { allowed: ["standard", "urgent"], default: "standard" },
  exclusivity: { allowed: ["public", "private-30d"], default: "public" },
  catalogCollections: { allowed: ["floods", "ships"], default: null },
  eula: { allowed: ["standard", "government"], default: "standard" },
  sla: { allowed: ["24h", "8h"], default: "24h" },
  cancellation: [
    { priority: "urgent", feeShare: 0.5, cutoffHours: 36 },
    { priority: null, feeShare: 0.1, cutoffHours: 12 },
  ],
  pricePlan: [{ mode: "spotlight", creditsPerKm2: 4 }],
};
