import { useState } from "preact/hooks";
import { IconButton } from "../ui/icon-button.tsx";
import { useConsole } from "../use-console.ts";
import { LinkList } from "./link-list.tsx";
import { MakeLink } from "./make-link.tsx";
import { shareText } from "./share-text.ts";
import { ViewLink } from "./view-link.tsx";

/** Links to maps for people without an account. */
export function ShareScreen() {
  const { layers, open } = useConsole();
  const [changes, setChanges] = useState(0);
  const maps = layers.list.value.filter(({ facts }) => facts !== null && facts !== "failed");
  const onChange = (): void => setChanges((count) => count + 1);
  return (
    <section class="side" aria-label={shareText.title}>
      <header>
        <h2 class="spring">{shareText.title}</h2>
        <IconButton icon="close" label={shareText.close} onClick={() => open("")} />
      </header>
      <div class="side-body">
        {maps.length === 0 ? <p class="hint">{shareText.none}</p> : <MakeLink maps={maps} onMade={onChange} />}
        <ViewLink onMade={onChange} />
        <LinkList key={changes} />
      </div>
    </section>
  );
}
