import { useRef } from "preact/hooks";
import { compareText } from "./compare-text.ts";

/** The line between both maps; its handle is a slider: arrows move it by 1 %, with shift by 10 %. */
export function SwipeHandle(props: { readonly share: number; readonly onChange: (share: number) => void }) {
  const { share, onChange } = props;
  const line = useRef<HTMLDivElement>(null);
  const percent = Math.round(share * 100);
  const move = (event: PointerEvent): void => {
    const frame = line.current?.parentElement?.getBoundingClientRect();
    if (frame === undefined || !(event.currentTarget as HTMLElement).hasPointerCapture(event.pointerId)) return;
    onChange(limited((event.clientX - frame.left) / frame.width));
  };
  const onKey = (event: KeyboardEvent): void => {
    const next = nextShare(event.key, share, event.shiftKey ? 0.1 : 0.01);
    if (next === null) return;
    event.preventDefault();
    onChange(next);
  };
  return (
    <div ref={line} class="swipe-line" style={{ left: `${share * 100}%` }}>
      <div
        class="swipe-handle"
        role="slider"
        tabIndex={0}
        aria-label={compareText.handle}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={compareText.handleAt(percent)}
        onKeyDown={onKey}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={move}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="m9 7-5 5 5 5M15 7l5 5-5 5" />
        </svg>
      </div>
    </div>
  );
}

function nextShare(key: string, share: number, step: number): number | null {
  if (key === "Home") return 0;
  if (key === "End") return 1;
  if (key === "ArrowLeft" || key === "ArrowDown") return limited(share - step);
  if (key === "ArrowRight" || key === "ArrowUp") return limited(share + step);
  return null;
}

/** Thousandths, so that the link stays short. */
function limited(share: number): number {
  return Math.round(Math.min(1, Math.max(0, share)) * 1_000) / 1_000;
}
