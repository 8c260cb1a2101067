import { formatMetres, formatPosition, formatValue } from "../format/numbers.ts";
import { text } from "../text/en.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { useConsole } from "../use-console.ts";
import { ComparedValues } from "../compare/compared-values.tsx";
import type { LayerValues } from "./inspector.ts";

/** Values of every shown map at the clicked position. */
export function InspectorPanel() {
  const { inspector, compared } = useConsole();
  const { value: inspection } = inspector.inspection;
  if (inspection === null) return null;
  const { longitude, latitude, layers } = inspection;
  return (
    <section class="float panel" aria-label={text.inspector.title}>
      <header>
        <h2>{formatPosition(longitude, latitude)}</h2>
        <IconButton icon="close" label={text.inspector.close} onClick={() => inspector.close()} />
      </header>
      {compared.value !== null && layers !== null ? (
        <ComparedValues pair={compared.value} layers={layers} />
      ) : (
        <dl class="values" aria-live="polite">
          {layers === null ? (
            <dt>{text.inspector.loading}</dt>
          ) : (
            layers.map((layer) => <Values key={layer.mapId} layer={layer} />)
          )}
        </dl>
      )}
    </section>
  );
}

function Values({ layer }: { readonly layer: LayerValues }) {
  const { mapType, answer } = layer;
  if (answer === null || answer.values === null) {
    return (
      <>
        <dt>{mapType}</dt>
        <dd>{text.inspector.outside}</dd>
      </>
    );
  }
  return (
    <>
      {answer.values.map(({ name, unit, value, valid }) => (
        <>
          <dt>{name}</dt>
          <dd>
            {!valid || value === null
              ? text.inspector.invalid
              : `${typeof value === "number" ? formatValue(value) : value} ${unit ?? ""}`}
          </dd>
        </>
      ))}
      {answer.resolutionM !== null && (
        <>
          <dt>{text.inspector.pixel}</dt>
          <dd>{formatMetres(answer.resolutionM)}</dd>
        </>
      )}
    </>
  );
}
