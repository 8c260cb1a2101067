import type { ComponentChildren } from "preact";
import { ScreenLink } from "../screens/screen-link.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { useConsole } from "../use-console.ts";
import { taskingText as text } from "./tasking-text.ts";

/** Part of the address of orders. */
export const ORDERS = "orders";

/** The panel beside the map, with its two views. */
export function TaskingSide({ children }: { readonly children: ComponentChildren }) {
  const { open, route } = useConsole();
  const isOrders = route.value.parts[0] === ORDERS;
  return (
    <section class="side tasking" aria-label={text.title}>
      <header>
        <nav class="tabs spring" aria-label={text.views}>
          <ScreenLink screen="tasking" {...(isOrders ? { parts: [] } : {})} class={isOrders ? "" : "on"}>
            {text.order}
          </ScreenLink>
          <ScreenLink screen="tasking" parts={[ORDERS]} class={isOrders ? "on" : ""}>
            {text.orders}
          </ScreenLink>
        </nav>
        <IconButton icon="close" label={text.close} onClick={() => open("")} />
      </header>
      {children}
    </section>
  );
}
