import { formatCount, formatShare } from "../format/numbers.ts";
import { useConsole } from "../use-console.ts";
import {
  isNameable,
  leastConfidence,
  withClasses,
  withConfidence,
  type ClassCount,
  type ParsedFilter,
} from "./object-filter-text.ts";
import { objectsText } from "./objects-text.ts";

/** Classes, confidence and the text of both, which is the filter itself. */
export function ObjectsFilter(props: {
  readonly parsed: ParsedFilter;
  readonly classes: readonly ClassCount[];
  readonly colours: ReadonlyMap<string, string>;
}) {
  const { parsed, classes, colours } = props;
  const { state, update } = useConsole();
  const filters = parsed.kind === "filters" ? parsed.filters : [];
  const write = (text: string): void => update({ objectFilter: text === "" ? null : text });
  const least = leastConfidence(filters);
  return (
    <form class="objects-filter" aria-label={objectsText.filter} onSubmit={(event) => event.preventDefault()}>
      <fieldset>
        <legend class="label">{objectsText.classes}</legend>
        {classes.map((one) => (
          <ClassRow
            key={one.className}
            one={one}
            colour={colours.get(one.className) ?? ""}
            onChange={(isWanted) => {
              const wanted = new Set(classes.flatMap((other) => (other.isWanted ? [other.className] : [])));
              if (isWanted) wanted.add(one.className);
              else wanted.delete(one.className);
              const all = classes.map(({ className }) => className);
              write(withClasses(filters, all, wanted));
            }}
          />
        ))}
      </fieldset>
      <label class="label" for="least-confidence">
        {objectsText.confidence}
        <span>{formatShare(least)}</span>
      </label>
      <input
        id="least-confidence"
        type="range"
        min="0"
        max="1"
        step="0.01"
        value={least}
        onInput={(event) => write(withConfidence(filters, Number(event.currentTarget.value)))}
      />
      <label class="label" for="filter-text">
        {objectsText.text}
      </label>
      <textarea
        id="filter-text"
        rows={3}
        maxLength={4_096}
        spellcheck={false}
        value={state.value.objectFilter ?? ""}
        aria-invalid={parsed.kind === "unreadable"}
        aria-describedby="filter-note"
        onInput={(event) => write(event.currentTarget.value)}
      />
      <p id="filter-note" class={parsed.kind === "unreadable" ? "bad-text" : "hint"} role="status">
        {parsed.kind === "unreadable" ? parsed.problem : objectsText.textHint}
      </p>
    </form>
  );
}

function ClassRow(props: {
  readonly one: ClassCount;
  readonly colour: string;
  readonly onChange: (isWanted: boolean) => void;
}) {
  const { one, colour, onChange } = props;
  const { className, count, isWanted } = one;
  const canChoose = isNameable(className);
  return (
    <label class="class-row" title={canChoose ? className : objectsText.unnameable}>
      <input
        type="checkbox"
        checked={isWanted}
        disabled={!canChoose}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <svg viewBox="0 0 10 10" aria-hidden="true">
        <rect width="10" height="10" rx="2" fill={colour} />
      </svg>
      <span class="spring">{className === "" ? objectsText.unnamed : className}</span>
      <span class="hint">{formatCount(count)}</span>
    </label>
  );
}
