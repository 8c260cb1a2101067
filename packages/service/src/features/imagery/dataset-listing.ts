import { isGranted } from "@swath/kernel/permissions/permission";
import type { Caller } from "../../platform/context.ts";
import type { RegisteredDataset } from "../../providers/catalog.ts";
import type { Interval, TaskingInfo } from "../../providers/tasking-info.ts";
import type { DatasetListing } from "@swath/contract/features/imagery/contract";

/** What downloading scenes of a dataset needs. */
export function imagesPermission({ provider, dataset }: RegisteredDataset): string {
  return `imagery.images.${provider.id}.${dataset.dataset}`;
}

const interval = ({ min, max }: Interval) => ({ min, max });

function listedTasking(info: TaskingInfo) {
  return {
    allowedTaskingGeometry: [...info.allowedTaskingGeometry],
    costMultiplier: info.costMultiplier,
    feasibilityHourOffset: interval(info.feasibilityHourOffset),
    preallocationAreaKm2: info.preallocationAreaKm2,
    priorities: Object.keys(info.priorities),
    taskingHourDuration: interval(info.taskingHourDuration),
    taskingHourOffset: interval(info.taskingHourOffset),
    taskingResolution: interval(info.taskingResolution),
  };
}

/** The listing entry of a dataset as a caller sees it. */
export function listDataset(
  registered: RegisteredDataset,
  caller: Caller,
  hasSource: (registered: RegisteredDataset) => boolean,
): DatasetListing {
  const { provider, dataset } = registered;
  return {
    providerName: provider.name,
    datasetName: dataset.name,
    provider: provider.id,
    dataset: dataset.dataset,
    downloadable: dataset.archiveDownload && isGranted(caller.permissions, imagesPermission(registered)),
    requiresSeparateSearch: dataset.requiresSeparateSearch,
    datasetType: dataset.type,
    thumbnail: dataset.thumbnail,
    exportable: dataset.exportable,
    maxMbrSide: dataset.maxMbrSideM,
    attribution: dataset.attribution,
    clip: dataset.clip,
    resolution: [...dataset.resolutionM],
    ...(dataset.visualizationBands === null ? {} : { visualizationBands: [...dataset.visualizationBands] }),
    searchable: isGranted(caller.permissions, imagesPermission(registered)),
    catalogAccess: dataset.catalogAccess || hasSource(registered),
    canBeIngested: dataset.canBeIngested,
    changeGroup: dataset.changeGroup,
    externalProvider: dataset.externalProvider,
    ...(dataset.taskingInfo === null
      ? {}
      : {
          taskingInfo: Object.fromEntries(
            Object.entries(dataset.taskingInfo).map(([kind, info]) => [kind, listedTasking(info)]),
          ),
        }),
  };
}
