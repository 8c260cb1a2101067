import { useState } from "preact/hooks";
import type { Client } from "@swath/client";
import { creditText, formatArea } from "../format/numbers.ts";
import { useConsole } from "../use-console.ts";
import { ActionForm } from "./action-form.tsx";
import { adminText as text } from "./admin-text.ts";
import type { Entries } from "./entries-of.ts";
import { SelectField, TextField } from "./fields.tsx";
import { ListTable } from "./list-table.tsx";
import { groupOptions, useGroups } from "./use-groups.ts";
import { useList } from "./use-list.ts";

/** Area of the example price. */
const EXAMPLE_KM2 = 100;

async function listPrices(calls: Client, cursor: string | null) {
  return await calls.call("/credits/price-rules/list", cursor === null ? {} : { cursor });
}

/** Price rules: the most specific one applies. */
export function PricesPanel() {
  const { calls, rights, attempt } = useConsole();
  const list = useList((cursor) => listPrices(calls, cursor), "");
  const groups = useGroups();
  const nameOf = (groupId: string | null): string =>
    groupId === null ? text.anyone : (groups.rows?.find(({ id }) => id === groupId)?.name ?? groupId);
  const end = async (id: string): Promise<void> => {
    await calls.call("/credits/price-rules/end", { id });
    list.reload();
  };
  return (
    <>
      <ListTable
        label={text.names.prices}
        list={list}
        heads={[
          text.dataset,
          text.mapType,
          text.group,
          text.tier,
          text.price,
          text.leastArea,
          text.until,
          text.actions,
        ]}
        empty={text.noPrices}
        row={({ id, provider, dataset, mapType, groupId, creditsTier, creditsPerKm2, minAreaKm2, validUntil }) => (
          <tr key={id}>
            <td>{[provider ?? text.anyone, dataset ?? text.anyone].join(" ")}</td>
            <td>{mapType ?? ""}</td>
            <td>{nameOf(groupId)}</td>
            <td>{creditsTier ?? text.anyone}</td>
            <td class="number">{creditText(creditsPerKm2)}</td>
            <td class="number">{minAreaKm2}</td>
            <td>{validUntil?.slice(0, 16) ?? ""}</td>
            <td>
              {rights.value.holds("admin.credits.end-price-rule") && validUntil === null && (
                <button type="button" class="button small" onClick={() => attempt(() => end(id))}>
                  {text.endPrice}
                </button>
              )}
            </td>
          </tr>
        )}
      />
      {rights.value.holds("admin.credits.create-price-rule") && (
        <PriceForm
          groups={groupOptions(groups.rows)}
          run={async (entries) => {
            await calls.call("/credits/price-rules/create", ruleOf(entries));
            list.reload();
          }}
        />
      )}
    </>
  );
}

function PriceForm(props: {
  readonly groups: readonly (readonly [id: string, name: string])[];
  readonly run: (entries: Entries) => Promise<void>;
}) {
  const { groups, run } = props;
  const [price, setPrice] = useState("");
  const [least, setLeast] = useState("");
  const credits = Number(price) * Math.max(EXAMPLE_KM2, Number(least));
  return (
    <>
      <ActionForm title={text.createPrice} run={run}>
        <TextField name="provider" label={text.provider} />
        <TextField name="dataset" label={text.dataset} />
        <TextField name="mapType" label={text.mapType} />
        <SelectField name="groupId" label={text.group} options={groups} none={text.anyone} />
        <TextField name="creditsTier" label={text.tier} />
        <TextField name="creditsPerKm2" type="number" label={text.price} isRequired onInput={setPrice} />
        <TextField name="minAreaKm2" type="number" label={text.leastArea} onInput={setLeast} />
      </ActionForm>
      {price !== "" && Number.isFinite(credits) && (
        <p class="hint" role="status">
          {text.preview(formatArea(EXAMPLE_KM2), creditText(credits))}
        </p>
      )}
    </>
  );
}

function ruleOf({ creditsPerKm2 = "", minAreaKm2, ...members }: Entries) {
  return {
    ...members,
    creditsPerKm2: Number(creditsPerKm2),
    ...(minAreaKm2 === undefined ? {} : { minAreaKm2: Number(minAreaKm2) }),
  };
}
