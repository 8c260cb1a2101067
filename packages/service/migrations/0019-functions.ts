import { sql, type Kysely } from "kysely";
import { replaceFunctions, type FunctionHashes } from "./functions/replace-functions.ts";

export const functions: FunctionHashes = {
  apply_credit_grants: "2621e5c9ff67e3110c653c72aa76f87500e2600b09d156f096676fb3886031bf",
  apply_credit_transactions: "c4667064ff56ca91b85fa8f7f5996601e097a261ee6d5dd4e1f780b24a2a7b8f",
  credit_allocate: "879f0853650a8a7e9a68d0aee4f18a64546b52bcb026c2fe19fe95a12b1e1733",
  credit_grow_coverage: "becbafb1e5b15dbcec8c617c257ee66a789fccdc36018b1ca3e7421be10c24b2",
  credit_is_licensed: "a454f31028658eb95974417db432d2998ec8915d490d8404224c1c48d0297a88",
  credit_lock_accounts: "eb82a7839ec30e92d2aa9ce9583dc6bef01c426fe42ac41731d582fb1c6dd95c",
  credit_price_rules_at: "bf9fd1d4677a85f87f0a38cc3851ba72f6c959b01b512b50f990809d911d4a87",
  credit_refusal: "5ab6d743028d12d7554868717fa6b3b945e7f8fc4c7ed8ec6efe3be7532a795b",
  credit_spendable: "a9906b50882b5296e6d1fa558994653237bf75b29b9507f8b1636d0bf566240d",
  credit_states: "580059b7dd3ee04c096ec10fc291bc91297356dc361e3c1e339ea101bf6cdf79",
  guard_credit_balance: "50b1ee91962a89fdc01c86979c57764be5268903b80118023f614f840f92b018",
  guard_credit_limit: "1b357740f01bdb04f982258fac6c9d685d6418d4cea569a8ba603e07fc6897f2",
  refuse_change: "637d5f93609cf080b1ca208c710ffb0d34a4d2eb2df5c5a0c9df595332f7f493",
};

/** One function judges and writes allocations; each rule that orders share with it is a function. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of [
    "credit_allocate_all",
    "credit_allocate",
    "credit_grow_coverage",
    "credit_states",
    "credit_license_end",
  ]) {
    await sql`drop function ${sql.id(name)}`.execute(db);
  }
  await replaceFunctions(db, functions);
}
