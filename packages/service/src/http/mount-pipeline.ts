import { Type } from "typebox";
import type { PipelineOperation } from "@swath/contract/kit/pipeline-operation";
import { InitiateResponse, RetrieveRequest } from "@swath/contract/kit/pipeline-routes";
import type { PipelineHandler } from "../platform/context.ts";
import type { Derivation } from "./admission.ts";
import type { Mounting } from "./mount.ts";
import { mountOperation } from "./mount-operation.ts";

/** Adds `<path>/initiate` and `<path>/retrieve`. */
export function mountPipeline(
  mounting: Mounting,
  declaration: PipelineOperation,
  handler: Pick<PipelineHandler<unknown, unknown>, "admit" | "kept" | "prepare">,
  content: Derivation | null = null,
): void {
  const { pipelines, storage } = mounting;
  const { emptyResult, lane, path: kind, partialResult, result } = declaration;

  mountOperation(
    mounting,
    {
      method: "POST",
      path: `${kind}/initiate`,
      access: declaration.access,
      permissions: declaration.permissions,
      dynamicPermissions: declaration.dynamicPermissions,
      request: declaration.request,
      unknownMembers: declaration.unknownMembers,
      response: InitiateResponse,
      bodyLimitBytes: declaration.bodyLimitBytes,
      rateClass: "initiate",
      work: declaration.work,
    },
    async (request, context) => {
      // A pipeline that could only wait for a disk is better refused. Quick ones write nothing but their rows.
      await storage.require(lane === "quick" ? "rows" : "files");
      const prepared = await handler.prepare?.(request, context);
      const { caller, baseUrl } = context;
      const { added, nextTry, pipelineId } = await pipelines.accept(
        { kind, lane, request: handler.kept?.(request, prepared) ?? request, caller, baseUrl },
        handler.admit === undefined
          ? null
          : async (trx, id) => handler.admit?.(request, { ...context, pipelineId: id }, trx, prepared),
      );
      return { ...added, pipelineId, status: "NEW", nextTry };
    },
    content,
  );

  mountOperation(
    mounting,
    {
      method: "POST",
      path: `${kind}/retrieve`,
      access: declaration.access,
      permissions: declaration.retrievePermissions,
      dynamicPermissions: null,
      request: RetrieveRequest,
      unknownMembers: "warn",
      response: partialResult === null ? result : Type.Union([result, partialResult]),
      bodyLimitBytes: declaration.bodyLimitBytes,
      rateClass: "read",
      work: {},
    },
    (request, { caller }) => {
      const { pipelineId, allowPartial } = request as { pipelineId: string; allowPartial?: boolean };
      const query = { kind, pipelineId, caller };
      return pipelines.retrieve(allowPartial === true ? { ...query, partial: { empty: emptyResult } } : query);
    },
  );
}
