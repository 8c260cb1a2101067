import assert from "node:assert/strict";
import { test } from "node:test";
import { parseSceneId, sceneId } from "@swath/kernel/scenes/scene-id";
import { MAX_SEARCH_SIDE_M, type ProviderDescriptor } from "./provider.ts";

/** The tests that every provider must pass. */
export function conformsToProvider(provider: ProviderDescriptor): void {
  test(`${provider.id}: identifiers are plain and datasets are in order, each once`, () => {
    assert.match(provider.id, /^[a-z][a-z0-9-]*$/);
    for (const alias of provider.aliases) assert.match(alias, /^[a-z][a-z0-9-]*$/);
    const names = provider.datasets.map(({ dataset }) => dataset);
    assert.deepEqual(names, [...new Set(names)].toSorted());
    assert.ok(names.length > 0);
  });

  for (const one of provider.datasets) {
    test(`${provider.id} ${one.dataset}: the listing fields make sense`, () => {
      const [finest, coarsest] = one.resolutionM;
      assert.ok(finest > 0 && finest <= coarsest);
      assert.ok(one.analysisResolutionM > 0);
      assert.ok(one.maxMbrSideM >= MAX_SEARCH_SIDE_M);
      assert.equal(one.wholeWorld, one.maxMbrSideM > 40_000_000);
      assert.ok(one.name.length > 0 && one.attribution.length > 0);
      assert.ok(one.changeGroup.length > 0 && one.externalProvider.length > 0);
      assert.equal(one.visualizationBands !== null, one.type === "optical");
      assert.equal(one.creditsPerKm2 === 0, one.resolutionClass === "low");
      assert.ok(one.minAreaKm2 >= 0 && (one.largestSceneKm2 === null || one.largestSceneKm2 > one.minAreaKm2));
      assert.ok(one.catalogAccess || one.canBeIngested, "scenes come from a catalogue or from uploads");
      assert.ok(!provider.ownImagery || one.canBeIngested, "the operator's own imagery is uploaded");
      assert.ok(!one.hasStoreTiles || one.clip === "disallowed");
    });

    test(`${provider.id} ${one.dataset}: what can be ordered lies in sensible ranges`, () => {
      for (const info of Object.values(one.taskingInfo ?? {})) {
        assert.ok(info.costMultiplier >= 1 && info.preallocationAreaKm2 > 0 && info.allowedTaskingGeometry.length > 0);
        const factors = Object.values(info.priorities);
        assert.ok(factors.length > 0 && factors.every((factor) => factor > 0));
        for (const { min, max } of [
          info.feasibilityHourOffset,
          info.taskingHourDuration,
          info.taskingHourOffset,
          info.taskingResolution,
        ]) {
          assert.ok(min > 0 && min <= max);
        }
        assert.ok(info.taskingResolution.min >= one.resolutionM[0]);
      }
    });

    test(`${provider.id} ${one.dataset}: what can be ordered has sensors, whose swath holds the least area`, () => {
      const { sensors, taskingInfo, type } = one;
      assert.equal(sensors === null, taskingInfo === null);
      if (sensors === null) return;
      assert.equal(sensors.limits.kind, type === "optical" ? "optical" : "radar");
      const leastKm2 = Math.max(
        ...Object.values(taskingInfo ?? {}).map(({ preallocationAreaKm2 }) => preallocationAreaKm2),
      );
      // The diagonal of the square, which lies across some tracks.
      assert.ok(sensors.swathKm >= Math.sqrt(2 * leastKm2), `${sensors.swathKm} km for ${leastKm2} km²`);
      assert.ok(sensors.setupGapS > 0 && sensors.latencyHours > 0 && sensors.mode.length > 0);
      const numbers = sensors.satellites.map(({ catalogueNumber }) => catalogueNumber);
      assert.equal(new Set(numbers).size, numbers.length);
      assert.ok(sensors.satellites.every(({ meanMotionRevPerDay: n }) => n === null || (n > 11 && n < 16.5)));
    });

    test(`${provider.id} ${one.dataset}: scene identifiers name provider and dataset and leave room for a hash`, () => {
      const local = "0123456789abcdef0123456789abcdef";
      assert.deepEqual(parseSceneId(sceneId(provider.id, one.dataset, local)), {
        provider: provider.id,
        dataset: one.dataset,
        local,
      });
    });
  }
}
