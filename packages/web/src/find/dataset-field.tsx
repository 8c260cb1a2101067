import { text } from "../text/en.ts";
import { useConsole } from "../use-console.ts";

/** None chosen means all of them. */
export function DatasetField() {
  const { search, state, update } = useConsole();
  const chosen = state.value.datasets;
  const isChosen = (provider: string, dataset: string): boolean =>
    chosen.some((one) => one.provider === provider && one.dataset === dataset);
  const toggle = (provider: string, dataset: string): void => {
    const others = chosen.filter((one) => one.provider !== provider || one.dataset !== dataset);
    update({ datasets: isChosen(provider, dataset) ? others : [...others, { provider, dataset }] });
  };
  return (
    <details class="datasets">
      <summary>{text.find.chosenDatasets(chosen.length)}</summary>
      <ul>
        {search.datasets.value.map(({ provider, dataset, name }) => (
          <li key={`${provider}.${dataset}`}>
            <label>
              <input type="checkbox" checked={isChosen(provider, dataset)} onChange={() => toggle(provider, dataset)} />{" "}
              {name}
            </label>
          </li>
        ))}
      </ul>
    </details>
  );
}
