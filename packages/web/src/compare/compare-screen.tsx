import { useEffect, useRef } from "preact/hooks";
import type { Comparison } from "../console-state.ts";
import type { ComparedLook } from "../map/compared-maps.ts";
import { tileStateOf, type Layer } from "../maps/layers.ts";
import type { ScreenProps } from "../screens/screen.ts";
import { ScreenLink } from "../screens/screen-link.tsx";
import { useConsole } from "../use-console.ts";
import { CompareBar } from "./compare-bar.tsx";
import { compareText } from "./compare-text.ts";
import { firstPair } from "./first-pair.ts";
import { SideBadge } from "./side-badge.tsx";
import { SwipeHandle } from "./swipe-handle.tsx";
import { useAddedLayers } from "./use-added-layers.ts";

const MIDDLE: Comparison = { kind: "swipe", share: 0.5 };

/** Two maps on one place, by a line, side by side, or one after the other. */
export function CompareScreen({ parts }: ScreenProps) {
  const [a, b] = parts;
  if (a === undefined || b === undefined) return <NothingYet />;
  return <Comparing a={a} b={b} />;
}

function NothingYet() {
  const { layers, open } = useConsole();
  const pair = firstPair(layers.list.value);
  return (
    <section class="float compare-bar state" aria-label={compareText.title}>
      <p>{compareText.purpose}</p>
      {pair === null ? (
        <>
          <p>{compareText.makeFirst}</p>
          <ScreenLink screen="" class="button">
            {compareText.find}
          </ScreenLink>
        </>
      ) : (
        <button type="button" class="button primary" onClick={() => open("compare", pair.a, pair.b)}>
          {compareText.start}
        </button>
      )}
    </section>
  );
}

function Comparing({ a, b }: { readonly a: string; readonly b: string }) {
  const { layers, state, update, seenSide } = useConsole();
  const pane = useRef<HTMLDivElement>(null);
  const areAdded = useAddedLayers([a, b]);
  const layerOf = (mapId: string): Layer | undefined => layers.list.value.find((layer) => layer.mapId === mapId);
  const pair = [layerOf(a), layerOf(b)] as const;
  const comparison = state.value.comparison ?? MIDDLE;
  const side = seenSide.value;
  useShownPair(pair, comparison, pane);
  const lost = pair.flatMap((layer, at) =>
    layer?.facts === "failed" || (areAdded && layer === undefined) ? [at === 0 ? "A" : "B"] : [],
  );
  return (
    <>
      {comparison.kind === "split" && (
        <div ref={pane} class="compare-pane" role="group" aria-label={compareText.side.b} />
      )}
      {comparison.kind === "swipe" && (
        <SwipeHandle share={comparison.share} onChange={(share) => update({ comparison: { kind: "swipe", share } })} />
      )}
      {comparison.kind === "blink" ? (
        <button
          type="button"
          class="compare-badge"
          aria-label={compareText.toggle}
          onClick={() => {
            seenSide.value = side === "a" ? "b" : "a";
          }}
        >
          <SideBadge side={side} />
        </button>
      ) : (
        <>
          <span class="compare-badge" style={{ left: badgeAt(comparison, "a") }}>
            <SideBadge side="a" />
          </span>
          <span class="compare-badge" style={{ left: badgeAt(comparison, "b") }}>
            <SideBadge side="b" />
          </span>
        </>
      )}
      <CompareBar a={a} b={b} mode={comparison.kind} />
      <p class="unseen" role="status">
        {comparison.kind === "blink" ? compareText.seen(side) : ""}
      </p>
      {lost.length > 0 && (
        <p class="float compare-note" role="alert">
          {compareText.unreadable(lost.join(", "))}
        </p>
      )}
    </>
  );
}

/** Each badge is at its side of the line. */
function badgeAt(comparison: Comparison, side: "a" | "b"): string {
  const share = comparison.kind === "swipe" ? comparison.share : 0.5;
  return `calc(${share * 100}% + ${side === "a" ? "-34px" : "10px"})`;
}

/** Puts both maps in the place of all layers while the screen is open. */
function useShownPair(
  [a, b]: readonly [Layer | undefined, Layer | undefined],
  comparison: Comparison,
  pane: { readonly current: HTMLDivElement | null },
): void {
  const { map, seenSide } = useConsole();
  const side = seenSide.value;
  useEffect(() => {
    const [tilesA] = a === undefined ? [] : tileStateOf(a);
    const [tilesB] = b === undefined ? [] : tileStateOf(b);
    if (tilesA === undefined || tilesB === undefined) return map.compare(null);
    map.compare({ a: tilesA, b: tilesB, look: lookOf(comparison, side, pane.current) });
  }, [a?.facts, b?.facts, a?.fileName, b?.fileName, a?.hasPatterns, comparison, side]);
  useEffect(() => () => map.compare(null), []);
}

function lookOf(comparison: Comparison, side: "a" | "b", target: HTMLElement | null): ComparedLook {
  if (comparison.kind === "swipe") return comparison;
  if (comparison.kind === "split" && target !== null) return { kind: "split", target };
  return { kind: "one", side };
}
