import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { IconButton } from "./icon-button.tsx";

/** A dialog above the page; the focus stays in it, and Escape closes it where it can be closed. */
export function Dialog(props: {
  readonly title: string;
  readonly closeLabel?: string;
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
}) {
  const { title, closeLabel, onClose, children } = props;
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current?.showModal();
  }, []);
  const cancel = (event: Event): void => {
    event.preventDefault();
    onClose?.();
  };
  return (
    <dialog ref={element} class="dialog" aria-labelledby="dialog-title" onCancel={cancel}>
      <header>
        <h2 id="dialog-title">{title}</h2>
        {onClose !== undefined && closeLabel !== undefined && (
          <IconButton icon="close" label={closeLabel} onClick={onClose} />
        )}
      </header>
      {children}
    </dialog>
  );
}
