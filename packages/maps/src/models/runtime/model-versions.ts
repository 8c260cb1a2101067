import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Parameters } from "../../analysis/block.ts";
import type { InstalledModel } from "./installed-model.ts";

/** Every version of the models that a process knows: work that began with one goes on with it. */
export class ModelVersions {
  readonly #models = new Map<string, InstalledModel>();

  constructor(installed: readonly InstalledModel[]) {
    this.add(installed);
  }

  add(installed: readonly InstalledModel[]): void {
    for (const model of installed) this.#models.set(keyOf(model.manifest.id, model.manifest.sha256), model);
  }

  /**
   * The model that planned the parameters; null when no model did.
   *
   * @throws {ServiceError} PROCESSING-ERROR for a version that this process does not know
   */
  of(parameters: Parameters): InstalledModel | null {
    const planned = plannedBy(parameters);
    if (planned === null) return null;
    const found = this.#models.get(keyOf(planned.id, planned.sha256));
    if (found !== undefined) return found;
    throw new ServiceError(
      "PROCESSING-ERROR",
      `this process has no model ${planned.id} with the SHA-256 ${planned.sha256}, expected the version of the release`,
    );
  }
}

function keyOf(id: string, sha256: string): string {
  return `${id}@${sha256}`;
}

function plannedBy(parameters: Parameters): { readonly id: string; readonly sha256: string } | null {
  if (!("manifest" in parameters)) return null;
  const { manifest } = parameters;
  if (typeof manifest !== "object" || manifest === null || !("id" in manifest) || !("sha256" in manifest)) return null;
  const { id, sha256 } = manifest;
  return typeof id === "string" && typeof sha256 === "string" ? { id, sha256 } : null;
}
