import { useState } from "preact/hooks";
import { creditText } from "../format/numbers.ts";
import { messageOf } from "../failures/message-of.ts";
import { Dialog } from "../ui/dialog.tsx";
import { useConsole } from "../use-console.ts";
import { taskingText as text } from "./tasking-text.ts";
import type { Followed } from "./use-order.ts";

/** The fee of a cancellation, before it is made. */
export function CancelDialog(props: Pick<Followed, "order"> & { readonly onClose: (isCancelled: boolean) => void }) {
  const { order, onClose } = props;
  const { calls } = useConsole();
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const fee = order.price * order.cancellation.feeShare;
  const cancel = (): void => {
    setBusy(true);
    calls.call("/scene-tasking/order/cancel", { orderId: order.id }).then(
      () => onClose(true),
      (error: unknown) => {
        setBusy(false);
        setProblem(messageOf(error));
      },
    );
  };
  return (
    <Dialog title={text.cancelTitle} closeLabel={text.keep} onClose={() => onClose(false)}>
      <div class="dialog-body">
        {problem !== null && (
          <p class="note bad" role="alert">
            {problem}
          </p>
        )}
        <p>{fee === 0 ? text.cancelFree : text.cancelFee(creditText(fee))}</p>
      </div>
      <footer>
        <span class="spring" />
        <button type="button" class="button" onClick={() => onClose(false)}>
          {text.keep}
        </button>
        <button type="button" class="button primary" disabled={isBusy} onClick={cancel}>
          {text.cancelNow}
        </button>
      </footer>
    </Dialog>
  );
}
