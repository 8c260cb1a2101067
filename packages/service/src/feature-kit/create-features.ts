import type { ServiceContract } from "@swath/contract/kit/contract";
import type { AnyFeature, PipelinePlaces, ScheduledWork, ServiceOf } from "./define-feature.ts";
import type { Platform } from "./platform.ts";

/** The background work of a feature. */
interface CreatedFeature {
  readonly pipelines: PipelinePlaces;
  readonly schedules: readonly ScheduledWork[];
}

/** Values by feature and declaration, whose types were checked where the feature is declared. */
type ByDeclaration = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface CreatedFeatures {
  readonly contract: ServiceContract;
  readonly handlers: ByDeclaration;
  readonly permissions: ByDeclaration;
  /** In the order of the list. */
  readonly all: readonly CreatedFeature[];
  /** @throws {TypeError} when the feature is not in the list */
  serviceOf<F extends AnyFeature>(this: void, feature: F): ServiceOf<F>;
}

/** The same feature whose functions take anything: the types were checked where it was declared. */
type Erased = {
  readonly [Part in keyof AnyFeature]: AnyFeature[Part] extends (...given: never[]) => infer Result
    ? (...given: unknown[]) => Result
    : AnyFeature[Part];
};

interface Creation {
  readonly listed: ReadonlySet<AnyFeature>;
  readonly platform: Platform;
  readonly stack: AsyncDisposableStack;
  readonly services: Map<AnyFeature, unknown>;
}

/**
 * Creates the service of every feature after the services it needs, and hands disposable ones to the stack: they are
 * disposed in reverse order.
 *
 * @throws {TypeError} when a feature needs one that is not listed, or itself by way of others
 */
export async function createFeatures(
  features: readonly AnyFeature[],
  platform: Platform,
  stack: AsyncDisposableStack,
): Promise<CreatedFeatures> {
  const creation: Creation = { listed: new Set(features), platform, stack, services: new Map() };
  for (const feature of features) await createService(feature, [], creation);
  return {
    ...partsOf(features as readonly Erased[], creation),
    serviceOf: (feature) => {
      if (!creation.services.has(feature)) throw new TypeError(`the feature ${feature.name} is not in the list`);
      return creation.services.get(feature) as ServiceOf<typeof feature>;
    },
  };
}

async function createService(feature: AnyFeature, path: readonly AnyFeature[], creation: Creation): Promise<void> {
  const { listed, services, stack } = creation;
  if (services.has(feature)) return;
  const names = [...path, feature].map(({ name }) => name);
  if (path.includes(feature)) throw new TypeError(`features need each other: ${names.join(" needs ")}`);
  if (!listed.has(feature)) throw new TypeError(`${names.join(" needs ")}, which is not in the list of features`);
  for (const need of feature.needs) {
    if (typeof need !== "string") await createService(need, [...path, feature], creation);
  }
  const service = await (feature as Erased).create(neededBy(feature, creation));
  services.set(feature, service);
  if (isAsyncDisposable(service)) stack.use(service);
  else if (isDisposable(service)) stack.use(service);
}

function neededBy({ needs }: AnyFeature, { platform, services }: Creation): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    needs.map((need) => (typeof need === "string" ? [need, platform[need]] : [need.name, services.get(need)])),
  );
}

function partsOf(features: readonly Erased[], creation: Creation): Omit<CreatedFeatures, "serviceOf"> {
  const created = features.map((feature) => {
    return { feature, service: creation.services.get(feature), needs: neededBy(feature, creation) };
  });
  const named = <T>(part: (one: (typeof created)[number]) => T): Readonly<Record<string, T>> =>
    Object.fromEntries(created.map((one) => [one.feature.name, part(one)]));
  return {
    all: created.map(({ feature, service, needs }) => ({
      pipelines: feature.pipelines(service, needs),
      schedules: feature.schedules(service, needs),
    })),
    contract: named(({ feature }) => feature.contract),
    handlers: named(({ feature, service }) => ({ ...feature.handlers(service) })),
    permissions: named(({ feature, needs }) => ({ ...feature.permissions(needs) })),
  };
}

function isAsyncDisposable(value: unknown): value is AsyncDisposable {
  return typeof value === "object" && value !== null && Symbol.asyncDispose in value;
}

function isDisposable(value: unknown): value is Disposable {
  return typeof value === "object" && value !== null && Symbol.dispose in value;
}
