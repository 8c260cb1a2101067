import { useEffect, useRef } from "preact/hooks";
import { boxOfGeometry } from "../find/area-rings.ts";
import { text } from "../text/en.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { useConsole } from "../use-console.ts";
import { Scale } from "./scale.tsx";

/** The map and its tools. The library takes the arrow keys while the map has the focus. */
export function MapView() {
  const { map, state, area, inspector, drawing } = useConsole();
  const target = useRef<HTMLDivElement>(null);
  const { value: drawn } = drawing.kind;
  useEffect(() => {
    if (target.current === null) return;
    map.mount(target.current);
    const { view } = state.peek();
    const { value } = area;
    if (view !== null) map.setView(view);
    else if (value !== null) map.fit(boxOfGeometry(value));
  }, []);
  const isInspecting = inspector.isOn.value;
  return (
    <>
      <div
        ref={target}
        id="map"
        class={`map ${drawn !== null || isInspecting ? "crosshair" : ""}`}
        tabIndex={0}
        role="application"
        aria-label={text.map.label}
      />
      <div class="float tools">
        <IconButton icon="box" label={text.find.box} isPressed={drawn === "box"} onClick={() => drawing.draw("box")} />
        <IconButton
          icon="area"
          label={text.find.polygon}
          isPressed={drawn === "polygon"}
          onClick={() => drawing.draw("polygon")}
        />
        <IconButton
          icon="cross"
          label={text.map.inspect}
          isPressed={isInspecting}
          onClick={() => {
            inspector.isOn.value = !isInspecting;
          }}
        />
      </div>
      <div class="float zoom">
        <IconButton icon="plus" label={text.map.zoomIn} onClick={() => map.zoomBy(1)} />
        <IconButton icon="minus" label={text.map.zoomOut} onClick={() => map.zoomBy(-1)} />
      </div>
      {drawn !== null && (
        <p class="float drawing" role="status">
          {text.map.drawing}
        </p>
      )}
      <Scale view={state.value.view} />
      <p class="attribution">{text.map.attribution}</p>
    </>
  );
}
