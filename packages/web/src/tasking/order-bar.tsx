import { useEffect, useState } from "preact/hooks";
import { formatDay, formatTime } from "../format/dates.ts";
import { creditText } from "../format/numbers.ts";
import { messageOf } from "../failures/message-of.ts";
import { useConsole } from "../use-console.ts";
import { ORDERS } from "./tasking-side.tsx";
import { orderOf, type Opportunity } from "./study.ts";
import { taskingText as text } from "./tasking-text.ts";

type BarState =
  | { readonly kind: "ready" }
  | { readonly kind: "ordering" }
  | { readonly kind: "failed"; readonly message: string };

/** The chosen opportunity and its exact price. A repeated press makes no second order. */
export function OrderBar({ opportunity }: { readonly opportunity: Opportunity }) {
  const { calls, credit, open } = useConsole();
  const [state, setState] = useState<BarState>({ kind: "ready" });
  const [accepted, setAccepted] = useState(false);
  const licence = useLicence(opportunity);
  const { startTime, satellite, price } = opportunity;
  const missing = credit.value === null ? 0 : price - credit.value;
  const order = async (): Promise<void> => {
    setState({ kind: "ordering" });
    try {
      const { id } = await calls.call("/scene-tasking/order/create", orderOf(opportunity, licence ?? null));
      credit.value = (await calls.call("/credits/get-remaining-credit")).remainingCredit;
      open("tasking", ORDERS, id);
    } catch (error) {
      setState({ kind: "failed", message: messageOf(error) });
    }
  };
  return (
    <footer class="buy-bar order-bar">
      {state.kind === "failed" && (
        <p class="note bad" role="alert">
          {state.message}
        </p>
      )}
      {missing > 0 && (
        <p class="note bad" role="alert">
          {text.missing(creditText(missing))}
        </p>
      )}
      {typeof licence === "string" && (
        <label class="row">
          <input type="checkbox" checked={accepted} onChange={(event) => setAccepted(event.currentTarget.checked)} />
          <span>{text.accept(licence)}</span>
        </label>
      )}
      <div class="row">
        <div class="spring">
          <strong>{text.chosen(`${formatDay(startTime)} ${formatTime(startTime)}`, satellite)}</strong>
          <p class="hint">{text.held}</p>
        </div>
        <button
          type="button"
          class="button primary"
          disabled={
            state.kind === "ordering" || missing > 0 || licence === undefined || (licence !== null && !accepted)
          }
          onClick={() => void order()}
        >
          {state.kind === "ordering" ? text.ordering : price === 0 ? text.orderFree : text.orderFor(creditText(price))}
        </button>
      </div>
    </footer>
  );
}

/** The licence that an order must accept by its contract; null where none, undefined until the contract is read. */
function useLicence({ product, request }: Opportunity): string | null | undefined {
  const { calls, attempt } = useConsole();
  const [licence, setLicence] = useState<string | null | undefined>(undefined);
  useEffect(() => {
    attempt(async () => {
      const contracts = await calls.call("/scene-tasking/contracts/list", { provider: request.provider });
      const usual = contracts.find(({ isDefault }) => isDefault) ?? contracts[0];
      setLicence(usual?.eula.allowed[0] ?? null);
    });
  }, [product.provider]);
  return licence;
}
