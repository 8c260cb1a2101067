import { Type } from "typebox";
import { DatasetIdSchema, ProviderIdSchema } from "../../kit/schemas/scene.ts";
import type { SceneCounts } from "@swath/kernel/scenes/scene-counts";

/** Scenes of a search by filter. */
export interface SearchCounts extends SceneCounts {
  /** Whether every scene of the search is counted. */
  readonly complete: boolean;
}

const Count = (description: string) => Type.Integer({ description, minimum: 0 });

const StepCountsSchema = (description: string) =>
  Type.Object(
    {
      steps: Type.Array(
        Type.Object({ atMost: Type.Number(), scenes: Count("scenes whose value is at most the limit") }),
      ),
      unknown: Count("scenes without a value"),
    },
    { description },
  );

export const SearchCountsSchema = Type.Object(
  {
    scenes: Count("counted scenes, the newest 1000 at most"),
    complete: Type.Boolean({ description: "whether every scene of the search is counted" }),
    datasets: Type.Array(
      Type.Object({ provider: ProviderIdSchema, dataset: DatasetIdSchema, scenes: Count("scenes of the dataset") }),
      { description: "datasets with scenes, most first" },
    ),
    cloudCover: StepCountsSchema("by the share under cloud, 0 to 1"),
    offNadir: StepCountsSchema("by the size of the off-nadir angle, degrees"),
    gsd: StepCountsSchema("by the ground sampling distance of the finest band, metres"),
  },
  { title: "SearchCounts", description: "scenes of the search by filter; only on the first page, where asked for" },
);
