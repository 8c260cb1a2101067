import type { PeriodicWork } from "@swath/base/concurrency/schedule";
import type { FeatureContract } from "@swath/contract/kit/contract";
import type { Handlers, PermissionsByContent, PipelineHandlers } from "../platform/context.ts";
import type { Platform } from "./platform.ts";

/** Periodic work of a feature. */
export interface ScheduledWork extends PeriodicWork {
  /** Processes that run it: those with the role `worker`, or all. */
  readonly runsIn: "workers" | "every process";
}

/** Pipelines of a separate lane: other pipelines wait for them and must not take their places. */
interface PipelinePool {
  /** Name of the lane. */
  readonly lane: string;
  readonly handlers: PipelineHandlers;
  /** Pipelines that one process runs at once. */
  readonly concurrency: number;
}

/** How a worker runs the pipelines of a feature. */
export interface PipelinePlaces {
  readonly pools?: readonly PipelinePool[];
  /** Pipelines of one operation that a process runs at once, by path; as many as of all kinds unless given. */
  readonly limits?: Readonly<Record<string, number>>;
}

/** A feature whose types are erased. */
export interface AnyFeature {
  readonly name: string;
  readonly contract: FeatureContract;
  readonly needs: readonly Need[];
  readonly create: (needs: never) => unknown;
  readonly handlers: (service: never) => object;
  readonly permissions: (needs: never) => object;
  readonly pipelines: (service: never, needs: never) => PipelinePlaces;
  readonly schedules: (service: never, needs: never) => readonly ScheduledWork[];
}

/** A value of the platform by name, or a feature, for its service. */
export type Need = keyof Platform | AnyFeature;

/** The service that a feature creates. */
export type ServiceOf<F extends AnyFeature> = Awaited<ReturnType<F["create"]>>;

/** Platform values under their names, services under the names of their features. */
type Needed<N extends readonly Need[]> = Pick<Platform, Extract<N[number], keyof Platform>> & {
  readonly [F in Extract<N[number], AnyFeature> as F["name"]]: ServiceOf<F>;
};

interface FeatureParts<Name extends string, C extends FeatureContract, N extends readonly Need[], Service> {
  /** The key of the feature in `features.ts` and in the contract. */
  readonly name: Name;
  readonly contract: C;
  /** A circular need does not compile: neither feature has a type then. */
  readonly needs: N;
  /** The service of the feature. A service that is disposable is disposed before the services it needs. */
  readonly create: (needs: Needed<N>) => Service | Promise<Service>;
  readonly handlers: (service: Service) => Handlers<C>;
  /** Processes with the role `worker` run these besides the pipelines among `handlers`. */
  readonly pipelines?: (service: Service, needs: Needed<N>) => PipelinePlaces;
  readonly schedules?: (service: Service, needs: Needed<N>) => readonly ScheduledWork[];
}

/** Required where a declaration of the contract has `contentPermissions`. */
type PermissionsPart<C extends FeatureContract, N extends readonly Need[]> = keyof PermissionsByContent<C> extends never
  ? { readonly permissions?: never }
  : { readonly permissions: (needs: Needed<N>) => PermissionsByContent<C> };

export type Feature<Name extends string, C extends FeatureContract, N extends readonly Need[], Service> = Required<
  FeatureParts<Name, C, N, Service>
> & {
  readonly permissions: (needs: Needed<N>) => PermissionsByContent<C>;
};

/**
 * Declares a feature: its contract, the values it needs, its handlers and its background work.
 *
 * @example
 * export const geojson = defineFeature({
 *   name: "geojson",
 *   contract: geojsonContract,
 *   needs: ["clock", "db"],
 *   create: createGeojsonService,
 *   handlers: geojsonHandlers,
 * });
 */
export function defineFeature<
  const Name extends string,
  C extends FeatureContract,
  const N extends readonly Need[],
  Service,
>(parts: FeatureParts<Name, C, N, Service> & PermissionsPart<C, N>): Feature<Name, C, N, Service> {
  // Without content permissions the record of their functions is empty, which the conditional type cannot express.
  const permissions = (parts.permissions ?? (() => ({}))) as (needs: Needed<N>) => PermissionsByContent<C>;
  return { pipelines: () => ({}), schedules: () => [], ...parts, permissions };
}
