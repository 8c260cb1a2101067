import { useEffect, useState } from "preact/hooks";

import { text } from "../text/en.ts";
import { Dialog } from "../ui/dialog.tsx";
import { useConsole } from "../use-console.ts";
import { leaveForIssuer, readDemonstration, readWays, type SignInWays } from "./sign-in-ways.ts";

/** Over the page until somebody is signed in; forms below keep what they hold. */
export function SignIn() {
  const { session, state: page, isOnlyLooking } = useConsole();
  const { value: state } = session.state;
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isNeeded = state.kind === "signed-out" && !isOnlyLooking.value;
  const { ways, filledIn } = useWays(isNeeded, () => setProblem(text.errors.offline));
  if (state.kind === "signed-in" || state.kind === "starting") return null;
  if (isOnlyLooking.value) return null;
  const attempt = async (action: () => Promise<string | null>): Promise<void> => {
    setBusy(true);
    try {
      setProblem(await action());
    } catch {
      setProblem(text.errors.offline);
    } finally {
      setBusy(false);
    }
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const field = (name: string): string => {
      const value = form.get(name);
      return typeof value === "string" ? value : "";
    };
    const isSecond = state.kind === "second-factor";
    await attempt(() =>
      isSecond ? session.confirm(field("code")) : session.signIn(field("email"), field("password")),
    );
  };
  const isSecond = state.kind === "second-factor";
  const hasPassword = isSecond || ways === null || ways.password;
  const shown = problem ?? (isSecond ? null : (state.problem ?? null));
  return (
    <Dialog title={text.signIn.title}>
      <form class="dialog-body form" onSubmit={(event) => void submit(event)}>
        {state.kind === "signed-out" && state.isOver && <p class="note warn">{text.signIn.over}</p>}
        {isSecond ? (
          <Field name="code" label={text.signIn.code} type="text" key="code" />
        ) : hasPassword ? (
          <>
            <Field name="email" label={text.signIn.email} type="email" value={filledIn?.email} />
            <Field name="password" label={text.signIn.password} type="password" value={filledIn?.password} />
            {filledIn !== null && <p class="hint">{text.signIn.demonstration}</p>}
          </>
        ) : (
          ways?.issuers.length === 0 && <p class="note warn">{text.signIn.noWay}</p>
        )}
        <p class="problem" role="alert">
          {shown}
        </p>
        {hasPassword && (
          <button class="button primary large" type="submit" disabled={isBusy}>
            {isSecond ? text.signIn.confirm : text.signIn.submit}
          </button>
        )}
        {!isSecond && <Issuers names={ways?.issuers ?? []} isBusy={isBusy} attempt={attempt} />}
        {state.kind === "signed-out" && !state.isOver && page.value.layers.length > 0 && (
          <button
            class="button large"
            type="button"
            onClick={() => {
              isOnlyLooking.value = true;
            }}
          >
            {text.signIn.look}
          </button>
        )}
      </form>
    </Dialog>
  );
}

function Field(props: {
  readonly name: string;
  readonly label: string;
  readonly type: "email" | "password" | "text";
  readonly value?: string | undefined;
}) {
  const { name, label, type, value } = props;
  const shared = { name, required: true, defaultValue: value ?? "" };
  return (
    <label class="field">
      <span>{label}</span>
      {type === "email" && <input {...shared} type="email" autocomplete="username" />}
      {type === "password" && <input {...shared} type="password" autocomplete="current-password" />}
      {type === "text" && <input {...shared} type="text" autocomplete="one-time-code" inputMode="numeric" />}
    </label>
  );
}

/** The ways to sign in and the login of a demonstration user; null until they are known. */
function useWays(isNeeded: boolean, onFailure: () => void) {
  const [filledIn, setFilledIn] = useState<{ readonly email: string; readonly password: string } | null>(null);
  const [ways, setWays] = useState<SignInWays | null>(null);
  useEffect(() => {
    if (!isNeeded || ways !== null) return;
    const ask = async (): Promise<void> => {
      const found = await readWays();
      setWays(found);
      if (found.password) setFilledIn(await readDemonstration());
    };
    ask().catch(onFailure);
  }, [isNeeded]);
  return { ways, filledIn };
}

/** A button for each issuer, which leaves the page. */
function Issuers(props: {
  readonly names: readonly string[];
  readonly isBusy: boolean;
  readonly attempt: (action: () => Promise<string | null>) => Promise<void>;
}) {
  return props.names.map((name) => (
    <button
      key={name}
      class="button primary large"
      type="button"
      disabled={props.isBusy}
      onClick={() => void props.attempt(() => leaveForIssuer())}
    >
      {text.signIn.atIssuer(name)}
    </button>
  ));
}
