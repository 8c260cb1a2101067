import { text } from "../text/en.ts";
import { Dialog } from "../ui/dialog.tsx";
import { useConsole } from "../use-console.ts";
import { pageCommands, type Windows } from "./page-commands.ts";
import { keyName } from "./palette.tsx";

/** The keys, and the switch that lets single ones rest. */
export function KeysDialog({ windows, onClose }: { readonly windows: Windows; readonly onClose: () => void }) {
  const app = useConsole();
  return (
    <Dialog title={text.keys.title} closeLabel={text.keys.close} onClose={onClose}>
      <div class="dialog-body">
        <dl class="values">
          <dt>{text.commands.title}</dt>
          <dd>
            <kbd>Ctrl K</kbd>
          </dd>
          <dt>{text.keys.cancel}</dt>
          <dd>
            <kbd>Esc</kbd>
          </dd>
          {pageCommands(app, windows).map(
            ({ name, key }) =>
              key !== undefined && (
                <>
                  <dt>{name}</dt>
                  <dd>
                    <kbd>{keyName(key)}</kbd>
                  </dd>
                </>
              ),
          )}
        </dl>
        <label class="row">
          <input
            type="checkbox"
            checked={app.keys.areOn.value}
            onChange={(event) => app.keys.set(event.currentTarget.checked)}
          />
          {text.keys.areOn}
        </label>
      </div>
    </Dialog>
  );
}
