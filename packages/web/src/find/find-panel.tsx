import { text } from "../text/en.ts";
import { useConsole } from "../use-console.ts";
import { AreaField } from "./area-field.tsx";
import { CloudField } from "./cloud-field.tsx";
import { DatasetField } from "./dataset-field.tsx";
import { MoreFilters } from "./more-filters.tsx";
import { SceneList } from "./scene-list.tsx";

/** Where, when and how clear; below it what was found. */
export function FindPanel({ onReview }: { readonly onReview: () => void }) {
  const { state, update, area, search, ticked, attempt } = useConsole();
  const { time } = state.value;
  const setDay = (side: "start" | "end", value: string): void => {
    const next = { start: time?.start ?? null, end: time?.end ?? null, [side]: value === "" ? null : value };
    update({ time: next.start === null && next.end === null ? null : next });
  };
  return (
    <section class="side" aria-label={text.find.title}>
      <form
        class="conditions"
        onSubmit={(event) => {
          event.preventDefault();
          const { value } = area;
          if (value !== null) attempt(() => search.run(value));
        }}
      >
        <AreaField />
        <div class="label">
          <span>{text.find.time}</span>
          <span class="hint">{text.find.utc}</span>
        </div>
        <div class="row">
          <input
            type="date"
            aria-label={text.find.start}
            value={time?.start ?? ""}
            onChange={(event) => setDay("start", event.currentTarget.value)}
          />
          <span aria-hidden="true">–</span>
          <input
            type="date"
            aria-label={text.find.end}
            value={time?.end ?? ""}
            onChange={(event) => setDay("end", event.currentTarget.value)}
          />
        </div>
        <CloudField />
        <MoreFilters />
        <DatasetField />
        <button
          class="button primary"
          type="submit"
          disabled={area.value === null || search.status.value.kind === "searching"}
        >
          {search.status.value.kind === "searching" ? text.find.searching : text.find.search}
        </button>
        <FollowSwitch />
      </form>
      <SceneList />
      {ticked.value.size > 0 && (
        <footer class="buy-bar">
          <strong class="spring">{text.buy.scenes(ticked.value.size)}</strong>
          <button type="button" class="button primary" onClick={onReview}>
            {text.buy.review}
          </button>
        </footer>
      )}
    </section>
  );
}

function FollowSwitch() {
  const { followsView } = useConsole();
  return (
    <label class="row">
      <input
        type="checkbox"
        checked={followsView.value}
        onChange={(event) => {
          followsView.value = event.currentTarget.checked;
        }}
      />
      {text.find.followsView}
    </label>
  );
}
