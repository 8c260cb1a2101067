import { randomUUID } from "node:crypto";
import type { Clock } from "@swath/base/clock";
import type {
  ContractTerms,
  ListContractsRequest,
  SetContractRequest,
  TaskingContract,
} from "@swath/contract/features/tasking/contracts-contract";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { parseInstant } from "@swath/kernel/time/instant";
import type { Caller, Db } from "../../../platform/context.ts";
import { inTransaction } from "../../../platform/postgres/transaction.ts";
import type { Catalog } from "../../../providers/catalog.ts";
import type { AuditService } from "../../audit/service.ts";
import { contractAnswer, type AgreedContract } from "./agreed-contract.ts";
import { BUILT_IN_PREFIX } from "./built-in-contract.ts";
import * as store from "./contract-store.ts";
import { contractFor, contractOf, contractsOf, usualContracts, type WantedContract } from "./group-contracts.ts";
import { invalidMember, invalidMembers } from "./invalid-members.ts";
import { termFaults } from "./term-faults.ts";

export interface ContractDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly catalog: Pick<Catalog, "findProvider" | "providers">;
  readonly audit: Pick<AuditService, "record">;
}

/** Contracts with providers. Only those of the caller's group and those of every group count for a caller. */
export interface TaskingContracts {
  list(caller: Caller, request: ListContractsRequest): Promise<TaskingContract[]>;
  /** @throws {ServiceError} VALIDATION-ERROR, NON-EXISTENT-GROUP, CONFLICT */
  set(caller: Caller, request: SetContractRequest, requestId?: string): Promise<TaskingContract>;
  /** @throws {ServiceError} NON-EXISTENT-CONTRACT */
  delete(caller: Caller, id: string, requestId?: string): Promise<Record<string, never>>;
  /** @throws {ServiceError} VALIDATION-ERROR that names the contracts of the caller */
  contractFor(caller: Pick<Caller, "groupId">, wanted: WantedContract): Promise<AgreedContract>;
  /** The contract of orders that name none, by provider; of all providers with null. */
  usualContracts(
    caller: Pick<Caller, "groupId">,
    provider: string | null,
    atMs: number,
  ): Promise<ReadonlyMap<string, AgreedContract>>;
}

/** A list without a cursor: each entry has at most some 20 KB. */
const MAX_CONTRACTS = 500;

export function createTaskingContracts(deps: ContractDeps): TaskingContracts {
  return {
    list: (caller, request) => listContracts(deps, caller, request),
    set: (caller, request, requestId) => setContract(deps, { caller, requestId }, request),
    delete: (caller, id, requestId) => deleteContract(deps, { caller, requestId }, id),
    contractFor: (caller, wanted) => contractFor(deps, caller, wanted),
    usualContracts: (caller, provider, atMs) => usualContracts(deps, caller, provider, atMs),
  };
}

interface Requester {
  readonly caller: Caller;
  readonly requestId: string | undefined;
}

async function listContracts(
  deps: ContractDeps,
  caller: Caller,
  { provider: named, allGroups = false }: ListContractsRequest,
): Promise<TaskingContract[]> {
  const provider = named === undefined ? null : (deps.catalog.findProvider(named)?.id ?? named);
  const contracts = allGroups
    ? (await store.selectAllContracts(deps.db, provider)).map(contractOf)
    : await contractsOf(deps, caller.groupId, provider);
  return contracts.map(contractAnswer);
}

function momentOf(text: string, path: string): Date {
  const epochMs = parseInstant(text);
  if (epochMs === null) throw invalidMember(path, `is no moment: ${text}`);
  return new Date(epochMs);
}

function termsOf(request: SetContractRequest): ContractTerms {
  const { deliveryLocations, imagingModes, imagingModeCapabilities, priority, exclusivity } = request;
  const { catalogCollections, eula, sla, cancellation = [], pricePlan = [] } = request;
  return {
    deliveryLocations,
    imagingModes,
    imagingModeCapabilities,
    priority,
    exclusivity,
    catalogCollections,
    eula,
    sla,
    cancellation,
    pricePlan,
  };
}

/** The row of a request that contradicts neither itself nor the catalogue. */
function rowOf({ catalog }: ContractDeps, request: SetContractRequest): store.ContractRow {
  const { id = randomUUID(), name, groupId = null, isDefault = false, start, end } = request;
  const provider = catalog.findProvider(request.provider);
  if (provider === null) throw invalidMember("/provider", `there is no provider ${request.provider}`);
  if (id.startsWith(BUILT_IN_PREFIX)) {
    throw invalidMember("/id", `is ${id}, expected no ID that begins ${BUILT_IN_PREFIX}`);
  }
  const terms = termsOf(request);
  const faults = termFaults(terms);
  if (faults.length > 0) throw invalidMembers(faults);
  const [startsAt, endsAt] = [momentOf(start, "/start"), momentOf(end, "/end")];
  if (endsAt <= startsAt) throw invalidMember("/end", `is ${end}, expected a moment after ${start}`);
  return {
    id,
    name,
    provider: provider.id,
    group_id: groupId,
    is_default: isDefault,
    starts_at: startsAt,
    ends_at: endsAt,
    terms: JSON.stringify(terms),
  };
}

async function setContract(
  deps: ContractDeps,
  { caller, requestId }: Requester,
  request: SetContractRequest,
): Promise<TaskingContract> {
  const { db, clock, audit } = deps;
  const row = rowOf(deps, request);
  if (row.group_id !== null && !(await store.groupExists(db, row.group_id))) {
    throw new ServiceError("NON-EXISTENT-GROUP", `there is no group ${row.group_id}`);
  }
  const after = contractAnswer(contractOf(row));
  await inTransaction(db, async (trx) => {
    await store.lockContracts(trx);
    const earlier = await store.readContract(trx, row.id);
    if (earlier === null && (await store.countContracts(trx)) >= MAX_CONTRACTS) {
      throw new ServiceError("CONFLICT", `there are ${MAX_CONTRACTS} contracts already, delete some first`);
    }
    const rival = row.is_default ? await store.findRivalDefault(trx, row) : null;
    if (rival !== null) {
      throw new ServiceError("CONFLICT", `the contract ${rival} is the default of that provider and group already`);
    }
    await store.upsertContract(trx, row, clock.now());
    await audit.record(trx, {
      actor: caller,
      ...(requestId === undefined ? {} : { requestId }),
      action: "contract.set",
      target: { kind: "contract", id: row.id },
      ...(earlier === null ? {} : { before: contractAnswer(contractOf(earlier)) }),
      after,
    });
  });
  return after;
}

async function deleteContract(
  { db, audit }: ContractDeps,
  { caller, requestId }: Requester,
  id: string,
): Promise<Record<string, never>> {
  await inTransaction(db, async (trx) => {
    await store.lockContracts(trx);
    const row = await store.readContract(trx, id);
    if (row === null) throw new ServiceError("NON-EXISTENT-CONTRACT", `there is no stored contract ${id}`);
    await store.deleteContract(trx, id);
    await audit.record(trx, {
      actor: caller,
      ...(requestId === undefined ? {} : { requestId }),
      action: "contract.delete",
      target: { kind: "contract", id },
      before: contractAnswer(contractOf(row)),
    });
  });
  return {};
}
