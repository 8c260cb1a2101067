import type { ContractTerms } from "@swath/contract/features/tasking/contracts-contract";
import type { Caller, Db } from "../../../platform/context.ts";
import type { Catalog } from "../../../providers/catalog.ts";
import type { AgreedContract } from "./agreed-contract.ts";
import { builtInContract } from "./built-in-contract.ts";
import { selectContractsOf, type ContractRow } from "./contract-store.ts";
import { invalidMember } from "./invalid-members.ts";

export interface ContractSources {
  readonly db: Db;
  readonly catalog: Pick<Catalog, "providers">;
}

/** Which contract an order asks for. */
export interface WantedContract {
  /** Identifier of the provider, not an alias. */
  readonly provider: string;
  /** Undefined: the default of the group, else the default of every group. */
  readonly contractId: string | undefined;
  /** Start of the order, milliseconds since 1970, UTC; a default that is valid then goes first. */
  readonly atMs: number;
  /** Place of the request in errors, such as `/params/0`; empty unless given. */
  readonly path?: string;
}

export function contractOf(row: ContractRow): AgreedContract {
  const terms: ContractTerms = JSON.parse(row.terms);
  return {
    id: row.id,
    name: row.name,
    provider: row.provider,
    groupId: row.group_id,
    isDefault: row.is_default,
    isBuiltIn: false,
    startMs: row.starts_at.getTime(),
    endMs: row.ends_at.getTime(),
    terms,
  };
}

function placeOf({ provider, id }: AgreedContract): string {
  return `${provider} ${id}`;
}

/** Contracts of a group: stored ones, and the built-in one of each provider without a stored one. */
export async function contractsOf(
  { db, catalog }: ContractSources,
  groupId: string,
  provider: string | null,
): Promise<AgreedContract[]> {
  const stored = (await selectContractsOf(db, { groupId, provider })).map(contractOf);
  const bound = new Set(stored.map((contract) => contract.provider));
  const builtIn = catalog.providers
    .filter(({ id }) => (provider === null || id === provider) && !bound.has(id))
    .map(builtInContract)
    .filter((contract) => contract !== null);
  return [...stored, ...builtIn].toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
}

/** The contract of an order. @throws {ServiceError} VALIDATION-ERROR that names the contracts of the caller */
export async function contractFor(
  deps: ContractSources,
  { groupId }: Pick<Caller, "groupId">,
  { provider, contractId, atMs, path = "" }: WantedContract,
): Promise<AgreedContract> {
  const contracts = await contractsOf(deps, groupId, provider);
  const ids = contracts.map(({ id }) => id).join(", ");
  const expected = ids === "" ? `there is no contract with ${provider}` : `expected one of ${ids}`;
  if (contractId !== undefined) {
    const named = contracts.find(({ id }) => id === contractId);
    if (named === undefined) throw invalidMember(`${path}/orderOptions/contractId`, `is ${contractId}, ${expected}`);
    return named;
  }
  const usual = usualContract(contracts, atMs);
  if (usual === null) throw invalidMember(`${path}/orderOptions/contractId`, `is missing, ${expected}`);
  return usual;
}

/** The contract of orders that name none, by provider; providers without one are absent. Of all providers with null. */
export async function usualContracts(
  deps: ContractSources,
  { groupId }: Pick<Caller, "groupId">,
  provider: string | null,
  atMs: number,
): Promise<ReadonlyMap<string, AgreedContract>> {
  const byProvider = Map.groupBy(await contractsOf(deps, groupId, provider), (contract) => contract.provider);
  return new Map(
    [...byProvider].flatMap(([id, contracts]) => {
      const usual = usualContract(contracts, atMs);
      return usual === null ? [] : [[id, usual]];
    }),
  );
}

/** The default of the group goes before the default of every group, one that is valid before one that is not. */
function usualContract(contracts: readonly AgreedContract[], atMs: number): AgreedContract | null {
  const rank = (contract: AgreedContract): number =>
    (contract.startMs <= atMs && contract.endMs > atMs ? 0 : 2) + (contract.groupId === null ? 1 : 0);
  const [usual] = contracts.filter(({ isDefault }) => isDefault).toSorted((one, other) => rank(one) - rank(other));
  return usual ?? null;
}
