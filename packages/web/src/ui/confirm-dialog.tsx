import type { ComponentChildren } from "preact";
import { Dialog } from "./dialog.tsx";

/** Asks before something is lost; the button says what happens. */
export function ConfirmDialog(props: {
  readonly title: string;
  readonly confirm: string;
  readonly cancel: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const { title, confirm, cancel, onConfirm, onClose } = props;
  return (
    <Dialog title={title} closeLabel={cancel} onClose={onClose}>
      <div class="dialog-body">
        <p>{props.children}</p>
      </div>
      <footer>
        <span class="spring" />
        <button type="button" class="button" onClick={onClose}>
          {cancel}
        </button>
        <button
          type="button"
          class="button primary"
          onClick={() => {
            onClose();
            onConfirm();
          }}
        >
          {confirm}
        </button>
      </footer>
    </Dialog>
  );
}
