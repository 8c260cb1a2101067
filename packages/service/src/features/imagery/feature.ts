import { imageryContract } from "@swath/contract/features/imagery/contract";
import { createThumbnailRenderer } from "@swath/maps/render/thumbnail";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { imageryPermissions } from "./content-permissions.ts";
import { imageryHandlers } from "./handlers.ts";
import { createImageryService } from "./service.ts";
import { sourceUpkeep } from "./source-upkeep.ts";

const FORGET_EVERY_MS = 60 * 60_000;

export const imagery = defineFeature({
  name: "imagery",
  contract: imageryContract,
  needs: ["areas", "catalog", "catalogue", "clock", "db", "items", "log", "renderer", "sources"],
  create: ({ catalogue, renderer, ...needs }) =>
    createImageryService({
      ...needs,
      thumbnails: createThumbnailRenderer(renderer),
      sourceTimeoutMs: catalogue.sourceTimeoutMs,
      catalogueDays: catalogue.catalogueDays,
    }),
  handlers: imageryHandlers,
  permissions: ({ catalog }) => imageryPermissions(catalog),
  schedules: (service, { catalog, log, sources }) => [
    ...sourceUpkeep(catalog, sources),
    {
      name: "imagery: forget catalogue scenes",
      everyMs: FORGET_EVERY_MS,
      atStart: true,
      runsIn: "workers",
      async run(signal) {
        const scenes = await service.forget(signal);
        if (scenes > 0) log.info({ scenes }, "catalogue scenes without a recent request were removed");
      },
    },
  ],
});
