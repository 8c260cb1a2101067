import { useEffect, useRef, useState } from "preact/hooks";
import { formatPosition } from "../format/numbers.ts";
import { text } from "../text/en.ts";
import { Dialog } from "../ui/dialog.tsx";
import { useConsole } from "../use-console.ts";
import { matching, type Command } from "./command.ts";
import { pageCommands, type Windows } from "./page-commands.ts";
import { parsePlace } from "./place.ts";

/** Zoom at which a granule fills the map. */
const PLACE_ZOOM = 11;

/** All commands by name; a written position moves the map there. */
export function Palette({ windows, onClose }: { readonly windows: Windows; readonly onClose: () => void }) {
  const app = useConsole();
  const [wanted, setWanted] = useState("");
  const [position, setPosition] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const search = useRef<HTMLInputElement>(null);
  // The dialog has opened, and put the focus on its first button.
  useEffect(() => search.current?.focus(), []);
  const found = [...placeCommands(wanted, app.map), ...matching(pageCommands(app, windows), wanted)];
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const move = (by: number): void => {
    const next = Math.min(found.length - 1, Math.max(0, position + by));
    setPosition(next);
    list.current?.children[next]?.scrollIntoView({ block: "nearest" });
  };
  const onKey = (event: KeyboardEvent): void => {
    const action = { ArrowDown: () => move(1), ArrowUp: () => move(-1), Enter: () => run(found[position]) }[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  };
  return (
    <Dialog title={text.commands.title} closeLabel={text.commands.close} onClose={onClose}>
      <div class="dialog-body palette">
        <input
          ref={search}
          type="text"
          role="combobox"
          aria-label={text.commands.search}
          aria-expanded="true"
          aria-controls="commands"
          aria-activedescendant={found.length > 0 ? `command-${position}` : undefined}
          placeholder={text.commands.search}
          autocomplete="off"
          value={wanted}
          onInput={(event) => {
            setWanted(event.currentTarget.value);
            setPosition(0);
          }}
          onKeyDown={onKey}
        />
        <ul ref={list} id="commands" role="listbox" aria-label={text.commands.title}>
          {found.map((command, index) => (
            <li
              key={command.name}
              id={`command-${index}`}
              role="option"
              aria-selected={index === position}
              class={index === position ? "command selected" : "command"}
              onClick={() => run(command)}
            >
              <span class="spring">{command.name}</span>
              {command.key !== undefined && <kbd>{keyName(command.key)}</kbd>}
            </li>
          ))}
        </ul>
        <p class="hint" role="status">
          {found.length === 0 ? text.commands.none : ""}
        </p>
      </div>
    </Dialog>
  );
}

function placeCommands(wanted: string, map: ReturnType<typeof useConsole>["map"]): readonly Command[] {
  const place = parsePlace(wanted);
  if (place === null) return [];
  const name = text.commands.goTo(formatPosition(place.longitude, place.latitude));
  return [{ name, run: () => map.setView({ ...place, zoom: PLACE_ZOOM }) }];
}

/** Arrows as they stand on keyboards. */
export function keyName(key: string): string {
  return { ArrowLeft: "←", ArrowRight: "→", " ": "Space" }[key] ?? key;
}
