import { formatValue } from "../format/numbers.ts";
import type { MapObject } from "../objects/map-object.ts";
import { publishedText } from "./published-text.ts";

/** Class and measures of an object that was clicked. */
export function ChosenObject({ object }: { readonly object: MapObject }) {
  const { className, confidence, areaM2 } = object;
  return (
    <section aria-label={publishedText.chosen} aria-live="polite">
      <h2>{className}</h2>
      <dl class="published-object">
        {confidence !== null && (
          <>
            <dt>{publishedText.confidence}</dt>
            <dd>{formatValue(confidence)}</dd>
          </>
        )}
        {areaM2 !== null && (
          <>
            <dt>{publishedText.areaM2}</dt>
            <dd>{formatValue(areaM2)}</dd>
          </>
        )}
      </dl>
    </section>
  );
}
