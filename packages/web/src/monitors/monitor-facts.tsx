import type { Monitor } from "./monitor.ts";
import { useConsole } from "../use-console.ts";
import { filterText } from "./scene-filter.ts";
import { monitorsText } from "./monitors-text.ts";
import { ruleText } from "./rule-text.ts";

/** The settings of a monitor, as words. */
export function MonitorFacts({ monitor }: { readonly monitor: Monitor }) {
  const { search } = useConsole();
  const { rule, mapTypes, datasets, filter, areaCount, project } = monitor;
  const names = datasets.map(
    ({ provider, dataset }) =>
      search.datasets.value.find((one) => one.provider === provider && one.dataset === dataset)?.name ?? dataset,
  );
  const facts: readonly (readonly [name: string, value: string])[] = [
    [monitorsText.rule, ruleText(rule)],
    [monitorsText.maps, mapTypes.join(", ")],
    [monitorsText.datasets, names.join(", ")],
    [monitorsText.filter, filterText(filter)],
    [monitorsText.areas, monitorsText.areaCount(areaCount)],
    ...(project === undefined ? [] : [[monitorsText.project, project] as const]),
  ];
  return (
    <dl class="facts-list">
      {facts.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}
