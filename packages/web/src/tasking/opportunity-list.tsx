import { useEffect, useRef, useState } from "preact/hooks";
import { formatDay, formatTime } from "../format/dates.ts";
import { formatAngle, formatShare } from "../format/numbers.ts";
import { Credits } from "../ui/credits.tsx";
import type { Marked } from "./marked.ts";
import { RANKINGS, type Ranking } from "./ranked.ts";
import type { Opportunity } from "./study.ts";
import { taskingText as text } from "./tasking-text.ts";

const PAGE = 100;

export function OpportunityList(props: {
  readonly list: readonly Opportunity[];
  readonly marked: Marked;
  readonly ranking: Ranking;
  readonly onRank: (ranking: Ranking) => void;
}) {
  const { list, marked, ranking, onRank } = props;
  const [most, setMost] = useState(PAGE);
  const position = list.findIndex(({ windowId }) => windowId === marked.selected);
  // One that was chosen on the map or among the bars is in the list.
  const listed = list.slice(0, Math.max(most, position + 1));
  return (
    <>
      <select
        aria-label={text.ranking}
        value={ranking}
        onChange={(event) => onRank(RANKINGS.find((one) => one === event.currentTarget.value) ?? ranking)}
      >
        {RANKINGS.map((one) => (
          <option key={one} value={one}>
            {text.rankings[one]}
          </option>
        ))}
      </select>
      <ul class="opportunities" aria-label={text.list}>
        {listed.map((one) => (
          <OpportunityRow key={one.windowId} opportunity={one} marked={marked} />
        ))}
      </ul>
      {listed.length < list.length && (
        <button type="button" class="button" onClick={() => setMost(listed.length + PAGE)}>
          {text.more}
        </button>
      )}
    </>
  );
}

function OpportunityRow({ opportunity, marked }: { readonly opportunity: Opportunity; readonly marked: Marked }) {
  const { windowId, startTime, satellite, offNadir, sunElevation, cloudProbability, coverageRatio, price, product } =
    opportunity;
  const isSelected = marked.selected === windowId;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isSelected) row.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  const facts = [
    satellite,
    product.name,
    ...(offNadir === null ? [] : [text.offNadir(formatAngle(offNadir))]),
    ...(sunElevation === null || !product.isOptical ? [] : [text.sun(formatAngle(sunElevation))]),
    product.isOptical ? text.clear(formatShare(cloudProbability)) : text.allWeather,
    ...(coverageRatio < 1 ? [text.coverage(formatShare(coverageRatio))] : []),
  ];
  return (
    <li
      ref={row}
      class={`scene ${isSelected ? "selected" : ""} ${marked.hovered === windowId ? "hovered" : ""}`}
      onPointerEnter={() => marked.hover(windowId)}
      onPointerLeave={() => marked.hover(null)}
    >
      <button
        type="button"
        class="scene-button"
        aria-pressed={isSelected}
        onClick={() => marked.select(isSelected ? null : windowId)}
        onFocus={() => marked.hover(windowId)}
        onBlur={() => marked.hover(null)}
      >
        <span class="facts spring">
          <span>
            <strong>{formatDay(startTime)}</strong> {formatTime(startTime)}
          </span>
          <span>{facts.join(" · ")}</span>
        </span>
        <strong>{price === 0 ? text.free : <Credits value={price} />}</strong>
      </button>
    </li>
  );
}
