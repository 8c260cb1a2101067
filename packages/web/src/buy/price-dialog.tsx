import { useLayoutEffect, useState } from "preact/hooks";
import { CallSnippets } from "../calls/call-snippets.tsx";
import { formatDay, formatTime } from "../format/dates.ts";
import { formatArea, creditText } from "../format/numbers.ts";
import { messageOf } from "../failures/message-of.ts";
import { text } from "../text/en.ts";
import { Credits } from "../ui/credits.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { useConsole } from "../use-console.ts";
import { askPrice, releaseRequest, type Order, type Price } from "./price.ts";
import { MapTypeField } from "./map-type-field.tsx";
import { MissingCredit } from "./missing-credit.tsx";
import { useMaking } from "./use-making.ts";

type Question =
  | { readonly kind: "counting" }
  | { readonly kind: "told"; readonly price: Price }
  | { readonly kind: "failed"; readonly message: string };

/** The price of exactly these maps before anything is charged. */
export function PriceDialog({ onClose }: { readonly onClose: () => void }) {
  const { calls, ticked, area } = useConsole();
  const [mapTypes, setMapTypes] = useState<readonly string[]>(["imagery", "ndvi"]);
  const [question, setQuestion] = useState<Question>({ kind: "counting" });
  const sceneIds = [...ticked.value];
  const { value: geometry } = area;
  const { make, hasChanged } = useMaking(onClose);
  // Before the page is drawn: nobody sees the button with a price that has changed.
  useLayoutEffect(() => {
    if (geometry === null || mapTypes.length === 0) return undefined;
    const abort = new AbortController();
    setQuestion({ kind: "counting" });
    askPrice(calls, { sceneIds, mapTypes, area: geometry }, abort.signal).then(
      (price) => setQuestion({ kind: "told", price }),
      (error: unknown) => {
        if (!abort.signal.aborted) setQuestion({ kind: "failed", message: messageOf(error) });
      },
    );
    return () => abort.abort();
  }, [mapTypes.join(), hasChanged]);
  if (geometry === null) return null;
  const price = question.kind === "told" ? question.price : null;
  const missing = price === null ? 0 : price.credits - price.remainingCredit;
  const title = text.buy.title(mapTypes.length * sceneIds.length, sceneIds.length);
  return (
    <Dialog title={title} closeLabel={text.buy.cancel} onClose={onClose}>
      <div class="dialog-body">
        <MapTypeField chosen={mapTypes} onChange={setMapTypes} />
        {question.kind === "failed" && (
          <p class="note bad" role="alert">
            {question.message}
          </p>
        )}
        {hasChanged && (
          <p class="note warn" role="alert">
            {text.buy.changed}
          </p>
        )}
        <PriceTable price={price} />
        {missing > 0 && <MissingCredit missing={missing} />}
        <p class="note">{text.buy.promise}</p>
        {price !== null && <ReleaseCall order={{ sceneIds, mapTypes, area: geometry }} credits={price.credits} />}
      </div>
      <footer>
        <span class="spring" />
        <button type="button" class="button" onClick={onClose}>
          {text.buy.cancel}
        </button>
        <button
          type="button"
          class="button primary"
          disabled={price === null || missing > 0 || mapTypes.length === 0}
          onClick={() => price !== null && make({ sceneIds, mapTypes, area: geometry }, price)}
        >
          {price === null
            ? text.buy.counting
            : price.credits === 0
              ? text.buy.confirmFree
              : text.buy.confirm(creditText(price.credits))}
        </button>
      </footer>
    </Dialog>
  );
}

function ReleaseCall({ order, credits }: { readonly order: Order; readonly credits: number }) {
  const body = JSON.stringify(releaseRequest(order, credits));
  return (
    <details>
      <summary>{text.buy.apiCall}</summary>
      <CallSnippets call={{ method: "POST", path: "/mapsvc/release/initiate", body, isFile: false }} />
    </details>
  );
}

function PriceTable({ price }: { readonly price: Price | null }) {
  const { search } = useConsole();
  const dayOf = (sceneId: string): string => {
    const scene = search.found.value.find((one) => one.sceneId === sceneId);
    return scene === undefined ? sceneId : `${formatDay(scene.datetime)} ${formatTime(scene.datetime)}`;
  };
  return (
    <table class={`prices ${price === null ? "dimmed" : ""}`}>
      <thead>
        <tr>
          <th>{text.buy.scene}</th>
          <th class="number">{text.buy.new}</th>
          <th class="number">{text.buy.perKm2}</th>
          <th class="number">{text.buy.credits}</th>
        </tr>
      </thead>
      <tbody>
        {(price?.scenes ?? []).map(({ sceneId, newKm2, creditsPerKm2, credits }) => (
          <tr key={sceneId}>
            <td>{dayOf(sceneId)}</td>
            <td class="number">{newKm2 === 0 ? text.buy.held : formatArea(newKm2)}</td>
            <td class="number">{creditsPerKm2}</td>
            <td class="number">
              <Credits value={credits} />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr class="sum">
          <th scope="row" colSpan={3}>
            {text.buy.pay}
          </th>
          <td class="number" data-testid="price">
            {price === null ? "…" : <Credits value={price.credits} />}
          </td>
        </tr>
        <tr>
          <th scope="row" colSpan={3}>
            {text.buy.after}
          </th>
          <td class="number">{price === null ? "…" : <Credits value={price.remainingCredit - price.credits} />}</td>
        </tr>
      </tfoot>
    </table>
  );
}
