import type { ComponentChildren } from "preact";
import { formatRoute } from "../route.ts";
import { useConsole } from "../use-console.ts";

/** A link to a view of the console: it opens without loading the page again, and in a new tab as any link. */
export function ScreenLink(props: {
  /** Empty for the search. */
  readonly screen: string;
  readonly parts?: readonly string[];
  readonly class?: string;
  /** Name of a link without words, and its hint. */
  readonly label?: string;
  readonly children: ComponentChildren;
}) {
  const { route, open } = useConsole();
  const { screen, parts = [] } = props;
  const isView = props.parts === undefined || parts.join("/") === route.value.parts.join("/");
  const isCurrent = route.value.screen === screen && isView;
  return (
    <a
      class={props.class}
      href={formatRoute({ screen, parts })}
      aria-current={isCurrent ? "page" : undefined}
      aria-label={props.label}
      title={props.label}
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
