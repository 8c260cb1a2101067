import type { GridRenderer } from "@swath/maps/render/grid-renderer";
import type { TimelapseRequest, TimelapseResult } from "@swath/contract/features/maps/timelapse-contract";
import type { PipelineHandler, PipelineJob, RequestContext } from "../../../platform/context.ts";
import type { Areas } from "../../../platform/geometry/areas.ts";
import type { WorkFolders } from "../../../platform/uploads/work-folders.ts";
import { openWorkSpool } from "../../../platform/uploads/work-spool.ts";
import type { Catalog } from "../../../providers/catalog.ts";
import { downloadName } from "../../../platform/downloads/download-name.ts";
import type { Downloads } from "../../../platform/downloads/downloads.ts";
import { exportedFile } from "../export/planned-export.ts";
import { provenanceOf } from "../provenance/get-provenance.ts";
import { admitRelease, type AdmitReleaseDeps } from "../release/admit-release.ts";
import { drawFrames } from "./draw-frames.ts";
import { openAnimation } from "./open-animation.ts";
import { planTimelapse, type PlanTimelapseDeps } from "./plan-timelapse.ts";
import {
  existingTimelapseMaps,
  madeTimelapseMaps,
  type TimelapseMaps,
  type TimelapseMapsDeps,
} from "./timelapse-maps.ts";

export type TimelapseDeps = AdmitReleaseDeps &
  PlanTimelapseDeps &
  TimelapseMapsDeps & {
    readonly areas: Pick<Areas, "intersection" | "read">;
    readonly catalog: Pick<Catalog, "findDataset">;
    readonly renderer: Pick<GridRenderer, "render">;
    readonly downloads: Pick<Downloads, "keep">;
    /** Temporary folders of running pipelines. */
    readonly folders: WorkFolders;
  };

const DEFAULT_FRAME_MS = 700;

export function createTimelapse(deps: TimelapseDeps): PipelineHandler<TimelapseRequest, TimelapseResult> {
  return {
    prepare: (request, context) => prepareTimelapse(deps, request, context),
    async run(request, job) {
      await job.report({ message: "Preparing analysis", step: 1 });
      const maps = await mapsOf(deps, request, job);
      await job.report({ message: "Analyzing", step: 5 });
      const folder = await deps.folders.create(job.pipelineId, job.attempt);
      try {
        using guard = deps.folders.guard(folder, job.signal);
        return { result: await animate(deps, request, maps, { folder, job, signal: guard.signal }) };
      } finally {
        await deps.folders.remove(folder);
      }
    },
  };
}

/** Refuses animations of scenes that are unknown or not paid for. */
async function prepareTimelapse(
  deps: TimelapseDeps,
  request: TimelapseRequest,
  { caller, signal }: Pick<RequestContext, "caller" | "signal">,
): Promise<void> {
  const plan = await planTimelapse(deps, request, signal);
  if (plan !== null) {
    await admitRelease(deps, plan, caller, signal);
    return;
  }
  const { maps } = await existingTimelapseMaps(deps, request.mapIds ?? [], request);
  for (const { mapType } of maps.slice(0, 1)) exportedFile(mapType, { gridFile: "png", fileName: request.fileName });
}

async function mapsOf(deps: TimelapseDeps, request: TimelapseRequest, job: PipelineJob): Promise<TimelapseMaps> {
  const plan = await planTimelapse(deps, request, job.signal);
  return plan === null
    ? await existingTimelapseMaps(deps, request.mapIds ?? [], request)
    : await madeTimelapseMaps(deps, plan, request, job);
}

async function animate(
  deps: TimelapseDeps,
  request: TimelapseRequest,
  all: TimelapseMaps,
  { folder, job, signal }: { readonly folder: string; readonly job: PipelineJob; readonly signal: AbortSignal },
): Promise<TimelapseResult> {
  const { format = "webp", frameMs = DEFAULT_FRAME_MS } = request;
  await using spool = await openWorkSpool(folder);
  const animation = openAnimation(spool, format, frameMs);
  const drawn = await drawFrames(deps, request, all, animation, signal);
  await job.report({ message: "Finalizing analysis", step: 6 });
  const fileName = downloadName(`${all.maps[0]!.mapType.id}-timelapse.${format}`);
  const { mediaType } = animation;
  const kept = await deps.downloads.keep(job, { fileName, mediaType, body: animation.body(drawn.size) });
  return {
    ...kept,
    ...drawn.size,
    frameMs,
    frames: [...drawn.frames],
    leftOut: [...drawn.leftOut],
    provenance: provenanceOf(all.maps),
    attributions: [...drawn.attributions],
  };
}
