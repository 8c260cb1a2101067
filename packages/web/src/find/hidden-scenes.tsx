import { text } from "../text/en.ts";
import { Icon } from "../ui/icon.tsx";
import { useConsole } from "../use-console.ts";
import { hidingFilters, NO_FILTER } from "./filters.ts";

/** How many scenes each filter hides, and the way to remove that filter. */
export function HiddenScenes() {
  const { search, state, update } = useConsole();
  const { found, shown } = search;
  const hidden = found.value.length - shown.value.length;
  if (hidden === 0) return null;
  return (
    <div class="row hiding">
      <span>{shown.value.length === 0 ? text.find.allHidden(hidden) : text.find.hidden(hidden)}</span>
      {hidingFilters(found.value, state.value).map(({ name, scenes }) => (
        <button key={name} type="button" class="step" onClick={() => update({ [name]: NO_FILTER[name] })}>
          <span class="unseen">{text.find.removeFilter}</span>
          {text.find.filters[name]} <span class="hint">{scenes}</span>
          <Icon name="close" />
        </button>
      ))}
    </div>
  );
}
