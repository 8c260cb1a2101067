import { shareText } from "./share-text.ts";

/** 30 days, as of the service. */
export const USUAL_LIFETIME_S = 30 * 86_400;

export function LifetimeField(props: { readonly seconds: number; readonly onChange: (seconds: number) => void }) {
  return (
    <label>
      <span class="label">{shareText.ends}</span>
      <select value={props.seconds} onChange={(event) => props.onChange(Number(event.currentTarget.value))}>
        {shareText.lifetimes.map(([seconds, name]) => (
          <option key={seconds} value={seconds}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
