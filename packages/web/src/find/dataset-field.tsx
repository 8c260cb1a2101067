import { text } from "../text/en.ts";
import { useConsole } from "../use-console.ts";
import { isSameDataset, type Dataset, type DatasetName } from "./search.ts";

/** Datasets by provider, each with its number of scenes. None chosen means all of them. */
export function DatasetField() {
  const { search, state, update } = useConsole();
  const chosen = state.value.datasets;
  const isChosen = (one: DatasetName): boolean => chosen.some((other) => isSameDataset(one, other));
  const choose = (some: readonly Dataset[], isNow: boolean): void => {
    const others = chosen.filter((one) => !some.some((other) => isSameDataset(one, other)));
    const added = isNow ? some.map(({ provider, dataset }) => ({ provider, dataset })) : [];
    update({ datasets: [...others, ...added] });
  };
  const providers = Map.groupBy(search.datasets.value, ({ provider }) => provider);
  return (
    <details class="datasets">
      <summary>{text.find.chosenDatasets(chosen.length)}</summary>
      <ul>
        {[...providers].map(([provider, datasets]) => (
          <li key={provider}>
            <DatasetLine
              name={(datasets.length === 1 ? datasets[0]?.name : datasets[0]?.providerName) ?? provider}
              datasets={datasets}
              isChosen={datasets.every(isChosen)}
              onChoose={(isNow) => choose(datasets, isNow)}
            />
            {/* A provider of one dataset is its dataset. */}
            {datasets.length > 1 && (
              <ul>
                {datasets.map((one) => (
                  <li key={one.dataset}>
                    <DatasetLine
                      name={one.name}
                      datasets={[one]}
                      isChosen={isChosen(one)}
                      onChoose={(isNow) => choose([one], isNow)}
                    />
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

function DatasetLine(props: {
  readonly name: string;
  readonly datasets: readonly Dataset[];
  readonly isChosen: boolean;
  readonly onChoose: (isNow: boolean) => void;
}) {
  const { counts } = useConsole().search;
  const { name, datasets, isChosen, onChoose } = props;
  const scenes = counts.value?.datasets
    .filter((one) => datasets.some((other) => isSameDataset(one, other)))
    .reduce((sum, one) => sum + one.scenes, 0);
  return (
    <label>
      <input type="checkbox" checked={isChosen} onChange={(event) => onChoose(event.currentTarget.checked)} />
      <span class="spring">{name}</span>
      {scenes !== undefined && <span class="hint">{`${scenes}${counts.value?.isLeast === true ? "+" : ""}`}</span>}
    </label>
  );
}
