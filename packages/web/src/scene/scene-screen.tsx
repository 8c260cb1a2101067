import { useEffect } from "preact/hooks";
import { boxOfGeometry, type AreaGeometry } from "../find/area-rings.ts";
import { Thumbnail } from "../find/thumbnail.tsx";
import { formatMetres } from "../format/numbers.ts";
import { nameInText } from "../format/name-in-text.ts";
import type { ScreenProps } from "../screens/screen.ts";
import { CopyField } from "../share/copy-field.tsx";
import { Failure } from "../ui/failure.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Skeletons } from "../ui/skeletons.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { useConsole } from "../use-console.ts";
import { OwnScene } from "./own-scene.tsx";
import { readScene, sceneFacts, type SceneInfo } from "./scene-facts.ts";
import { sceneText as text } from "./scene-text.ts";

/** `/console/scene/SCENE`: facts, bands and addresses of a scene. */
export function SceneScreen({ parts }: ScreenProps) {
  const { state, open } = useConsole();
  const sceneId = parts[0] ?? state.value.selectedSceneId;
  return (
    <section class="side" aria-label={text.title}>
      <header>
        <h2 class="spring">{text.title}</h2>
        <IconButton icon="close" label={text.back} onClick={() => open("")} />
      </header>
      <div class="side-body">
        {sceneId === null ? <p class="hint">{text.chooseFirst}</p> : <SceneView key={sceneId} sceneId={sceneId} />}
      </div>
    </section>
  );
}

function SceneView({ sceneId }: { readonly sceneId: string }) {
  const { calls, map, session } = useConsole();
  const isSignedIn = session.state.value.kind === "signed-in";
  const scene = useLoaded((signal) => readScene(calls, sceneId, signal), [sceneId, isSignedIn]);
  const outline = scene.value?.footprint;
  useEffect(() => {
    if (outline === undefined) return undefined;
    map.showShapes("scene", { shapes: [{ id: sceneId, geometry: outline, look: "area" }] });
    return () => map.showShapes("scene", null);
  }, [outline]);
  if (scene.error !== null) return <Failure error={scene.error} onRetry={scene.reload} />;
  if (scene.value === null) return <Skeletons label={text.title} />;
  return (
    <>
      <Actions scene={scene.value} />
      <dl class="facts-list">
        {sceneFacts(scene.value).map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{nameInText(value)}</dd>
          </>
        ))}
      </dl>
      <Bands bands={scene.value.bands} />
      <section class="stack" aria-label={text.addresses}>
        <h3>{text.addresses}</h3>
        <CopyField name={text.stac} value={`${location.origin}/stac/search?ids=${encodeURIComponent(sceneId)}`} />
        <p class="hint">{text.noToken}</p>
      </section>
      <OwnScene sceneId={sceneId} />
    </>
  );
}

function Actions({ scene }: { readonly scene: SceneInfo }) {
  const { map, ticked, update } = useConsole();
  const { sceneId, footprint } = scene;
  const isTicked = ticked.value.has(sceneId);
  return (
    <div class="row">
      <Thumbnail sceneId={sceneId} />
      <button
        type="button"
        class="button"
        onClick={() => {
          map.fit(boxOfGeometry(footprint as AreaGeometry));
          update({ selectedSceneId: sceneId });
        }}
      >
        {text.show}
      </button>
      <button
        type="button"
        class="button"
        aria-pressed={isTicked}
        onClick={() => {
          const others = [...ticked.value].filter((one) => one !== sceneId);
          ticked.value = new Set(isTicked ? others : [...others, sceneId]);
        }}
      >
        {isTicked ? text.untick : text.tick}
      </button>
    </div>
  );
}

function Bands({ bands }: Pick<SceneInfo, "bands">) {
  return (
    <section class="stack" aria-label={text.bands}>
      <h3>{text.bands}</h3>
      <div class="table-frame" tabIndex={0}>
        <table class="table" aria-label={text.bands}>
          <thead>
            <tr>
              <th scope="col">{text.band}</th>
              <th scope="col" class="number">
                {text.pixel}
              </th>
              <th scope="col">{text.otherNames}</th>
            </tr>
          </thead>
          <tbody>
            {bands.map(({ names: [name = "", ...others], gsd }, position) => (
              <tr key={position}>
                <td>{nameInText(name)}</td>
                <td class="number">{formatMetres(gsd)}</td>
                <td>{others.map(nameInText).join(", ")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
