import { useState } from "preact/hooks";
import { formatValue } from "../format/numbers.ts";
import { useConsole } from "../use-console.ts";
import { limitOf, formatDrawing, type Drawing } from "./drawing.ts";
import { drawingText } from "./drawing-text.ts";
import { metadataUrl, type MapFacts } from "./layer.ts";
import type { Layer } from "./layers.ts";

type Kind = Drawing["kind"] | "made";
type Histogram = NonNullable<MapFacts["histogram"]>;

const STEPS = 200;

/** Limits, a threshold or classes of a layer: each is a parameter of its tiles. */
export function LayerDrawing(props: { readonly layer: Layer; readonly name: string; readonly facts: MapFacts }) {
  const { layer, name, facts } = props;
  const { layers } = useConsole();
  const [isWriting, setWriting] = useState(false);
  const { drawing = null } = layer;
  const draw = (next: Drawing | null): void => layers.change(layer.mapId, { drawing: next });
  const kinds = kindsOf(layer, facts);
  if (kinds.length === 1) return null;
  const choose = (kind: string): void => {
    setWriting(kind === "classes");
    if (kind !== "classes") draw(firstOf(kind, facts.histogram));
  };
  return (
    <>
      <select
        class="drawing-kind"
        aria-label={drawingText.label(name)}
        value={isWriting ? "classes" : (drawing?.kind ?? "made")}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {kinds.map((kind) => (
          <option key={kind} value={kind}>
            {drawingText.kinds[kind]}
          </option>
        ))}
      </select>
      {facts.histogram !== null && drawing !== null && !isWriting && (
        <Limits name={name} drawing={drawing} histogram={facts.histogram} onDraw={draw} />
      )}
      {(isWriting || drawing?.kind === "classes") && (
        <Classes
          layer={layer}
          name={name}
          hasClasses={Object.keys(facts.colours).length > 0}
          text={drawing?.kind === "classes" ? drawing.classification : ""}
          onDraw={(next) => {
            setWriting(false);
            draw(next);
          }}
        />
      )}
    </>
  );
}

function kindsOf({ mapType }: Layer, { histogram, colours }: MapFacts): readonly Kind[] {
  if (Object.keys(colours).length > 0) return ["made", "classes"];
  if (histogram === null || histogram.counts.length === 0 || histogram.min >= histogram.max) return ["made"];
  if (mapType === "imagery") return ["made", "limits", "percentiles"];
  return ["made", "limits", "percentiles", "threshold", "classes"];
}

function firstOf(kind: string, histogram: Histogram | null): Drawing | null {
  const { min = 0, max = 1 } = histogram ?? {};
  if (kind === "limits") return { kind, low: limitOf(min), high: limitOf(max) };
  if (kind === "threshold") return { kind, value: limitOf((min + max) / 2) };
  return kind === "percentiles" ? { kind } : null;
}

/** The handles of the histogram. Tiles change when a handle is let go. */
function Limits(props: {
  readonly name: string;
  readonly drawing: Drawing;
  readonly histogram: Histogram;
  readonly onDraw: (drawing: Drawing) => void;
}) {
  const { name, drawing, histogram, onDraw } = props;
  const step = (histogram.max - histogram.min) / STEPS;
  const range = { min: histogram.min, max: histogram.max, step };
  if (drawing.kind === "threshold") {
    const draw = (value: number): void => onDraw({ kind: "threshold", value: limitOf(value) });
    return <Handle {...range} label={drawingText.threshold(name)} value={drawing.value} onChange={draw} />;
  }
  if (drawing.kind !== "limits") return null;
  const { low, high } = drawing;
  return (
    <>
      <Handle
        {...range}
        label={drawingText.low(name)}
        value={low}
        onChange={(value) => onDraw({ kind: "limits", low: limitOf(Math.min(value, high - step)), high })}
      />
      <Handle
        {...range}
        label={drawingText.high(name)}
        value={high}
        onChange={(value) => onDraw({ kind: "limits", low, high: limitOf(Math.max(value, low + step)) })}
      />
    </>
  );
}

function Handle(props: {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly value: number;
  readonly onChange: (value: number) => void;
}) {
  const { label, min, max, step, value, onChange } = props;
  return (
    <div class="row handle">
      <input
        type="range"
        aria-label={label}
        min={min}
        max={max}
        step={step}
        value={value}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      />
      <span class="hint">{formatValue(value)}</span>
    </div>
  );
}

/** The text of `classification`; the service says what is wrong in it before tiles are asked for. */
function Classes(props: {
  readonly layer: Layer;
  readonly name: string;
  readonly hasClasses: boolean;
  readonly text: string;
  readonly onDraw: (drawing: Drawing | null) => void;
}) {
  const { layer, name, hasClasses, onDraw } = props;
  const { attempt } = useConsole();
  const [written, setWritten] = useState(props.text);
  const [problem, setProblem] = useState("");
  const apply = async (): Promise<void> => {
    if (written.trim() === "") return onDraw(null);
    const drawing: Drawing = { kind: "classes", classification: written.trim() };
    const answer = await fetch(`${metadataUrl(layer.mapId)}?${formatDrawing(drawing)}`);
    if (answer.status === 200) return onDraw(drawing);
    const body = (await answer.json()) as { readonly errorMessage?: string };
    setProblem(body.errorMessage ?? `HTTP ${answer.status}`);
  };
  return (
    <form
      class="drawing-classes"
      onSubmit={(event) => {
        event.preventDefault();
        attempt(apply);
      }}
    >
      <textarea
        rows={4}
        maxLength={4_096}
        spellcheck={false}
        aria-label={drawingText.classes(name)}
        aria-invalid={problem !== ""}
        value={written}
        onInput={(event) => setWritten(event.currentTarget.value)}
      />
      <p class={problem === "" ? "hint" : "bad-text"} role="status">
        {problem === "" ? (hasClasses ? drawingText.unionHint : drawingText.rangeHint) : problem}
      </p>
      <button type="submit" class="button small">
        {drawingText.apply}
      </button>
    </form>
  );
}
