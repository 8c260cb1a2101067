import { compareKeys, keyOf } from "@swath/kernel/scenes/scene-key";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { SceneSource, SourceQuery } from "@swath/raster/source/scene-source";
import type { SourceBindings } from "../../sources/bindings.ts";

/** Test support: a catalogue in memory; `fault` runs before every answer. */
export class MemorySource implements SceneSource {
  readonly isComputed = true;
  readonly queries: SourceQuery[] = [];
  scenes: readonly Scene[];
  fault: (signal: AbortSignal) => Promise<void> = () => Promise.resolve();

  constructor(scenes: readonly Scene[]) {
    this.scenes = scenes;
  }

  async search(query: SourceQuery, signal: AbortSignal) {
    this.queries.push(query);
    await this.fault(signal);
    const all = this.scenes
      .filter(({ provider, dataset }) => provider === query.provider && dataset === query.dataset)
      .toSorted((a, b) => compareKeys(keyOf(a), keyOf(b)))
      .filter((scene) => {
        const key = keyOf(scene);
        return (
          (query.after === null || compareKeys(query.after, key) < 0) &&
          (query.fromMs === null || key.acquiredAtMs >= query.fromMs) &&
          (query.toMs === null || key.acquiredAtMs < query.toMs)
        );
      });
    return { scenes: all.slice(0, query.limit), end: all.length <= query.limit };
  }

  async scene(id: string, signal: AbortSignal) {
    await this.fault(signal);
    return this.scenes.find((one) => one.sceneId === id) ?? null;
  }

  open(): Promise<never> {
    return Promise.reject(new Error("no pixels"));
  }

  thumbnail() {
    return Promise.resolve(null);
  }

  [Symbol.asyncDispose]() {
    return Promise.resolve();
  }
}

/** Bindings by provider and dataset, separated by a space. */
export function bindSources(bound: Readonly<Record<string, SceneSource>>): SourceBindings {
  return {
    sourceOf: (provider, dataset) => bound[`${provider} ${dataset}`] ?? null,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
