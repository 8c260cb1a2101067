import type { ComponentChildren } from "preact";

/** Scrolls a table that is larger than its place; arrow keys move it. */
export function TableFrame(props: {
  readonly label: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class={`table-frame ${props.class ?? ""}`} tabIndex={0} role="region" aria-label={props.label}>
      {props.children}
    </div>
  );
}
