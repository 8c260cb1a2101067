import type { Handlers } from "../../platform/context.ts";
import type { exportContract } from "@swath/contract/features/export/contract";
import type { ExportService } from "./service.ts";

export function exportHandlers(service: ExportService): Handlers<typeof exportContract> {
  return {
    getImage: {
      prepare: (request, context) => service.admit(request, context),
      run: (request, job) => service.run(request, job),
    },
    imageFile: (request) => service.file(request),
  };
}
