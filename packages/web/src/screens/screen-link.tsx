import type { ComponentChildren } from "preact";
import { formatRoute } from "../route.ts";
import { useConsole } from "../use-console.ts";

/** A link to a view of the console: it opens without loading the page again, and in a new tab as any link. */
export function ScreenLink(props: {
  /** Empty for the search. */
  readonly screen: string;
  readonly parts?: readonly string[];
  readonly class?: string;
  readonly children: ComponentChildren;
}) {
  const { route, open } = useConsole();
  const { screen, parts = [] } = props;
  const isCurrent = route.value.screen === screen;
  return (
    <a
      class={props.class}
      href={formatRoute({ screen, parts })}
      aria-current={isCurrent ? "page" : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        open(screen, ...parts);
      }}
    >
      {props.children}
    </a>
  );
}
