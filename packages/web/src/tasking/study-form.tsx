import { useState } from "preact/hooks";
import type { OrderPriority } from "@swath/kernel/tasking/order-priority";
import { AreaField } from "../find/area-field.tsx";
import { formatMetres } from "../format/numbers.ts";
import { useConsole } from "../use-console.ts";
import { prioritiesOf, type Product } from "./study.ts";
import { taskingText as text } from "./tasking-text.ts";
import type { StudyUse } from "./use-study.ts";

/** First and last day, `YYYY-MM-DD`; another text where the address has none. */
export interface Days {
  readonly start: string;
  readonly end: string;
}

const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Orders are placed a day ahead; orbits are foretold well for two weeks. */
const USUAL_DAYS = [2, 13] as const;

/** Area, days, product and terms of a study. */
export function StudyForm({ use, days }: { readonly use: StudyUse; readonly days: Days }) {
  const { area, open } = useConsole();
  const [first, setFirst] = useState(DAY.test(days.start) ? days.start : dayFromNow(USUAL_DAYS[0]));
  const [last, setLast] = useState(DAY.test(days.end) ? days.end : dayFromNow(USUAL_DAYS[1]));
  const [product, setProduct] = useState("");
  const [priority, setPriority] = useState<OrderPriority | null>(null);
  const [cloudPercent, setCloudPercent] = useState(20);
  const [name, setName] = useState<string>(text.usualName);
  const products = use.products ?? [];
  const chosen = product === "" ? products : products.filter((one) => keyOf(one) === product);
  const { value: geometry } = area;
  const ask = (): void => {
    if (geometry?.type !== "Polygon") return;
    open("tasking", first, last);
    const wish = { area: geometry, start: first, end: last, name, priority, maxCloudCover: cloudPercent / 100 };
    use.ask(chosen, wish);
  };
  return (
    <form
      class="study-form"
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <AreaField />
      {geometry?.type === "MultiPolygon" && <p class="note warn">{text.crossesDateLine}</p>}
      <div class="label">
        <span>{text.days}</span>
        <span class="hint">{text.utc}</span>
      </div>
      <div class="row">
        <DayField label={text.start} value={first} onChange={setFirst} />
        <span aria-hidden="true">–</span>
        <DayField label={text.end} value={last} onChange={setLast} />
      </div>
      <ProductField products={products} value={product} onChange={setProduct} />
      <PriorityField offered={prioritiesOf(chosen)} value={priority} onChange={setPriority} />
      {chosen.some(({ isOptical }) => isOptical) && <CloudField percent={cloudPercent} onChange={setCloudPercent} />}
      <label class="field">
        <span>{text.name}</span>
        <input
          type="text"
          required
          maxLength={200}
          autocomplete="off"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <button
        class="button primary"
        type="submit"
        disabled={geometry?.type !== "Polygon" || chosen.length === 0 || use.state.kind === "asking"}
      >
        {use.state.kind === "asking" ? text.asking : text.ask}
      </button>
    </form>
  );
}

interface FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function DayField({ label, value, onChange }: FieldProps & { readonly label: string }) {
  return (
    <input
      type="date"
      class="spring"
      required
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function ProductField({ products, value, onChange }: FieldProps & { readonly products: readonly Product[] }) {
  return (
    <label class="field">
      <span>{text.product}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{text.anyProduct(products.length)}</option>
        {products.map((one) => (
          <option key={keyOf(one)} value={keyOf(one)}>
            {`${one.name}, ${formatMetres(one.finestM)}`}
          </option>
        ))}
      </select>
    </label>
  );
}

function PriorityField(props: {
  readonly offered: readonly OrderPriority[];
  readonly value: OrderPriority | null;
  readonly onChange: (value: OrderPriority | null) => void;
}) {
  const { offered, value, onChange } = props;
  return (
    <label class="field">
      <span>{text.priority}</span>
      <select
        value={value ?? ""}
        onChange={(event) => onChange(offered.find((one) => one === event.currentTarget.value) ?? null)}
      >
        <option value="">{text.usualPriority}</option>
        {offered.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  );
}

function CloudField({ percent, onChange }: { readonly percent: number; readonly onChange: (value: number) => void }) {
  return (
    <label class="field">
      <span class="label">
        <span>{text.cloud}</span>
        <span>{`${percent} %`}</span>
      </span>
      <input
        type="range"
        min="0"
        max="100"
        step="5"
        value={percent}
        onInput={(event) => onChange(Number(event.currentTarget.value))}
      />
    </label>
  );
}

function keyOf({ provider, dataset }: Product): string {
  return `${provider}/${dataset}`;
}

function dayFromNow(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}
