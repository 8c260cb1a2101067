import { useState } from "preact/hooks";
import type { Client } from "@swath/client";
import { useConsole } from "../use-console.ts";
import { ActionForm } from "./action-form.tsx";
import { adminText as text } from "./admin-text.ts";
import { TextField } from "./fields.tsx";

type Enrollment = Awaited<ReturnType<typeof enroll>>;

async function enroll(calls: Client) {
  return await calls.call("/user/mfa/enroll", {});
}

/** Set up, confirm or remove the second factor of the signed-in user. */
export function SecondFactor() {
  const { calls, attempt } = useConsole();
  const [enrollment, setEnrollment] = useState<Enrollment | null>(null);
  const [said, say] = useState<string | null>(null);
  return (
    <section class="stack" aria-label={text.factor}>
      <h3>{text.factor}</h3>
      {said !== null && (
        <p class="hint" role="status">
          {said}
        </p>
      )}
      {enrollment === null ? (
        <button
          type="button"
          class="button back"
          onClick={() => attempt(async () => setEnrollment(await enroll(calls)))}
        >
          {text.enroll}
        </button>
      ) : (
        <>
          <p>{text.enrolled}</p>
          <dl class="values facts-list">
            <dt>{text.secret}</dt>
            <dd>
              <code>{enrollment.secret}</code>
            </dd>
            <dt>{text.recovery}</dt>
            <dd>
              <code>{enrollment.recoveryCodes.join(" ")}</code>
            </dd>
          </dl>
          <ActionForm
            title={text.confirm}
            run={async ({ code = "" }) => {
              await calls.call("/user/mfa/confirm", { code });
              setEnrollment(null);
              say(text.confirmed);
            }}
          >
            <TextField name="code" label={text.code} isRequired />
          </ActionForm>
        </>
      )}
      <ActionForm
        title={text.disable}
        run={async ({ code = "" }) => {
          await calls.call("/user/mfa/disable", { code });
          say(text.disabled);
        }}
      >
        <TextField name="code" label={text.code} isRequired />
      </ActionForm>
    </section>
  );
}
