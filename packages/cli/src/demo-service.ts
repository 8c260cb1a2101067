import { createClient, type Client } from "@swath/client";
import type { CommandContext } from "./command-context.ts";
import { givenCredentials, serviceUrl } from "./connection.ts";
import { dataFolder, findDemoLogin } from "./demo-login.ts";
import { CommandError, EXIT } from "./exit-code.ts";
import { isAnswering, startOwnService } from "./own-service.ts";

/**
 * The running service as the demonstration user; one of its own, which ends with the resources, when none runs where
 * none was asked for. With it what to say of it.
 *
 * @throws {CommandError} when no service answers at an address that was asked for, or nobody's password is known
 */
export async function openDemoService(
  context: CommandContext,
  resources: AsyncDisposableStack,
): Promise<readonly [Client, string]> {
  const configured = await serviceUrl(context);
  const folder = dataFolder(process.env);
  let url = configured;
  let what = `running at ${configured}`;
  if (!(await isAnswering(configured))) {
    if (context.connection.url !== undefined || context.environment.url !== null) {
      throw new CommandError(
        `no service answers at ${configured}`,
        EXIT.unavailable,
        "start one there, or leave the address out",
      );
    }
    const own = resources.use(await startOwnService(folder));
    url = own.url;
    what = `started at ${own.url}, data in ${folder}`;
  }
  const { token } = context.connection;
  if (token !== undefined) return [createClient({ baseUrl: url, token }), what];
  const given = givenCredentials(context) ?? (await findDemoLogin(folder, process.env));
  if (given === null) {
    throw new CommandError(
      `the demo user's password for ${url} is not known`,
      EXIT.auth,
      "give --email and --password, or start the service with swath serve, which remembers it",
    );
  }
  const client = createClient({ baseUrl: url, credentials: { username: given.email, password: given.password } });
  await client.token();
  return [client, `${what}, as ${given.email}`];
}

/** A demonstration's own service, which ends with the resources, as the demonstration user. */
export interface OwnDemoService {
  readonly client: Client;
  readonly url: string;
}

/**
 * Starts a service with settings of a demonstration.
 *
 * @param folder of its data
 * @throws {CommandError} when the password of the demonstration user is not known
 */
export async function openOwnDemoService(
  resources: AsyncDisposableStack,
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<OwnDemoService> {
  const { url } = resources.use(await startOwnService(folder, settings));
  const login = await findDemoLogin(folder, process.env);
  if (login === null) throw new CommandError(`the demo user's password for ${folder} is not known`, EXIT.auth);
  const client = createClient({ baseUrl: url, credentials: { username: login.email, password: login.password } });
  await client.token();
  return { client, url };
}
