import type { ScheduledWork } from "../../feature-kit/define-feature.ts";
import type { Catalog } from "../../providers/catalog.ts";
import type { SourceBindings } from "../../sources/bindings.ts";

const EVERY_MS = 60_000;

/** Periodic work of the sources that have some, each alone: a slow catalogue must not delay the others. */
export function sourceUpkeep(
  { providers }: Pick<Catalog, "providers">,
  sources: Pick<SourceBindings, "sourceOf">,
): readonly ScheduledWork[] {
  return providers.flatMap(({ id, datasets }) =>
    datasets.flatMap(({ dataset }): ScheduledWork[] => {
      const source = sources.sourceOf(id, dataset);
      if (source?.upkeep === undefined) return [];
      return [
        {
          name: `imagery: upkeep of ${id} ${dataset}`,
          everyMs: EVERY_MS,
          atStart: true,
          runsIn: "workers",
          run: async (signal) => source.upkeep?.(signal),
        },
      ];
    }),
  );
}
