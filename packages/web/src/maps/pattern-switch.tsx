import { text } from "../text/en.ts";
import type { ClassColours } from "./class-pattern.ts";

/** Turns the patterns on and off where a shown map has classes: eleven colours cannot differ for every eye. */
export function PatternSwitch(props: {
  readonly colours: ClassColours;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}) {
  const { colours, isOn, onChange } = props;
  if (Object.keys(colours).length === 0) return null;
  return (
    <label class="layer row">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span class="spring">{text.maps.patterns}</span>
    </label>
  );
}
