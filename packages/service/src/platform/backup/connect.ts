import { Client } from "pg";

/** A connection on which text has one form, whatever the settings of the server, and on which nothing times out. */
export async function connectForCopies(url: string, applicationName: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: url, application_name: applicationName });
  client.on("error", () => {});
  await client.connect();
  for (const setting of [
    "datestyle = 'ISO, YMD'",
    "intervalstyle = 'postgres'",
    "timezone = 'UTC'",
    "extra_float_digits = 1",
    "bytea_output = 'hex'",
    "statement_timeout = 0",
    "idle_in_transaction_session_timeout = 0",
  ]) {
    await client.query(`set ${setting}`);
  }
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
