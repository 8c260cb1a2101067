import { finestGsd } from "@swath/kernel/scenes/scene-counts";
import { useComputed } from "@preact/signals";
import { Component } from "preact";
import { formatDay, formatTime } from "../format/dates.ts";
import { formatArea, formatCover, formatMetres, formatShare } from "../format/numbers.ts";
import { sceneText } from "../scene/scene-text.ts";
import { ScreenLink } from "../screens/screen-link.tsx";
import { text } from "../text/en.ts";
import { Icon } from "../ui/icon.tsx";
import { useConsole } from "../use-console.ts";
import type { Scene } from "./search.ts";
import { Thumbnail } from "./thumbnail.tsx";

interface SceneRowProps {
  readonly scene: Scene;
  /** From 0, among all scenes of the list, drawn or not. */
  readonly position: number;
  readonly count: number;
}

/** A scene of the list. A scroll draws none of the rows again that stay. */
export class SceneRow extends Component<SceneRowProps> {
  override shouldComponentUpdate({ scene, position, count }: SceneRowProps): boolean {
    return scene !== this.props.scene || position !== this.props.position || count !== this.props.count;
  }

  override render(props: SceneRowProps) {
    return <Row {...props} />;
  }
}

/** Ticked is bought, selected is looked at. */
function Row({ scene, position, count }: SceneRowProps) {
  const { state, update, hovered, ticked } = useConsole();
  const { sceneId, datetime, cloudCover, bands, satellite, dataset, areaKm2, extentShare } = scene;
  // Own signals: a hover draws two rows again, not the whole list.
  const isSelected = useComputed(() => state.value.selectedSceneId === sceneId).value;
  const isHovered = useComputed(() => hovered.value === sceneId).value;
  const isTicked = useComputed(() => ticked.value.has(sceneId)).value;
  const tick = (isNow: boolean): void => {
    const others = [...ticked.value].filter((one) => one !== sceneId);
    ticked.value = new Set(isNow ? [...others, sceneId] : others);
  };
  const finest = finestGsd({ bands });
  return (
    <li
      aria-posinset={position + 1}
      aria-setsize={count}
      class={`scene ${isSelected ? "selected" : ""} ${isHovered ? "hovered" : ""}`}
      onPointerEnter={() => {
        hovered.value = sceneId;
      }}
      onPointerLeave={() => {
        hovered.value = null;
      }}
    >
      <input
        type="checkbox"
        aria-label={text.find.choose(`${formatDay(datetime)} ${formatTime(datetime)}`)}
        checked={isTicked}
        onChange={(event) => tick(event.currentTarget.checked)}
      />
      <button
        type="button"
        class="scene-button"
        aria-pressed={isSelected}
        onClick={() => update({ selectedSceneId: isSelected ? null : sceneId })}
      >
        <Thumbnail sceneId={sceneId} />
        <span class="facts">
          <span>
            <strong>{formatDay(datetime)}</strong> {formatTime(datetime)}
          </span>
          <span>
            {satellite ?? dataset}
            {finest === undefined ? "" : ` · ${formatMetres(finest)}`}
          </span>
          <span>
            <i class={`cloud cloud-${cloudStep(cloudCover)}`} />
            {cloudCover === undefined ? text.find.noCloud : text.find.cloudShare(formatShare(cloudCover))} ·{" "}
            {extentShare === undefined ? formatArea(areaKm2) : text.find.ofArea(formatCover(extentShare))}
          </span>
        </span>
      </button>
      {isSelected && (
        <ScreenLink screen="scene" parts={[sceneId]} class="icon-button" label={sceneText.open(formatDay(datetime))}>
          <Icon name="info" />
        </ScreenLink>
      )}
    </li>
  );
}

/** Steps of the colours of cloud: 0, 5, 20, 40 and 60 %. */
export function cloudStep(cloudCover: number | undefined): number {
  if (cloudCover === undefined) return 0;
  return [0.05, 0.2, 0.4, 0.6].filter((limit) => cloudCover >= limit).length + 1;
}
