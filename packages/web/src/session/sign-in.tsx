import { useEffect, useState } from "preact/hooks";
import { text } from "../text/en.ts";
import { Dialog } from "../ui/dialog.tsx";
import { useConsole } from "../use-console.ts";

/** Over the page until somebody is signed in; forms below keep what they hold. */
export function SignIn() {
  const { session, state: page, isOnlyLooking } = useConsole();
  const { value: state } = session.state;
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [filledIn, setFilledIn] = useState<{ readonly email: string; readonly password: string } | null>(null);
  useEffect(() => {
    session.demonstration().then(setFilledIn, () => {});
  }, []);
  if (state.kind === "signed-in" || state.kind === "starting") return null;
  if (isOnlyLooking.value) return null;
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const field = (name: string): string => {
      const value = form.get(name);
      return typeof value === "string" ? value : "";
    };
    setBusy(true);
    try {
      const isSecond = state.kind === "second-factor";
      setProblem(
        isSecond ? await session.confirm(field("code")) : await session.signIn(field("email"), field("password")),
      );
    } catch {
      setProblem(text.errors.offline);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={text.signIn.title}>
      <form class="dialog-body form" onSubmit={(event) => void submit(event)}>
        {state.kind === "signed-out" && state.isOver && <p class="note warn">{text.signIn.over}</p>}
        {state.kind === "second-factor" ? (
          <Field name="code" label={text.signIn.code} type="text" key="code" />
        ) : (
          <>
            <Field name="email" label={text.signIn.email} type="email" value={filledIn?.email} />
            <Field name="password" label={text.signIn.password} type="password" value={filledIn?.password} />
            {filledIn !== null && <p class="hint">{text.signIn.demonstration}</p>}
          </>
        )}
        <p class="problem" role="alert">
          {problem}
        </p>
        <button class="button primary large" type="submit" disabled={isBusy}>
          {state.kind === "second-factor" ? text.signIn.confirm : text.signIn.submit}
        </button>
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
