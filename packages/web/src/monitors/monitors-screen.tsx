import { useEffect } from "preact/hooks";
import { ScreenLink } from "../screens/screen-link.tsx";
import type { ScreenProps } from "../screens/screen.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { useConsole } from "../use-console.ts";
import { AlertTable } from "./alert-table.tsx";
import { MonitorForm } from "./monitor-form.tsx";
import { MonitorList } from "./monitor-list.tsx";
import { MonitorView } from "./monitor-view.tsx";
import { WebhookList } from "./webhook-list.tsx";
import { monitorsText } from "./monitors-text.ts";

/** Monitors and their alerts, beside the map. */
export function MonitorsScreen({ parts }: ScreenProps) {
  const { open, map, rights } = useConsole();
  useEffect(() => () => map.showShapes("monitor", null), []);
  return (
    <section class="side monitors" aria-label={monitorsText.title}>
      <header>
        <h2 class="unseen">{monitorsText.title}</h2>
        <nav class="tabs spring" aria-label={monitorsText.views}>
          <ScreenLink screen="monitors" parts={[]}>
            {monitorsText.tabs.list}
          </ScreenLink>
          <ScreenLink screen="monitors" parts={["alerts"]}>
            {monitorsText.tabs.alerts}
          </ScreenLink>
          {rights.value.holds("webhook.list") && (
            <ScreenLink screen="monitors" parts={["webhooks"]}>
              {monitorsText.tabs.webhooks}
            </ScreenLink>
          )}
        </nav>
        <IconButton icon="close" label={monitorsText.close} onClick={() => open("")} />
      </header>
      <View parts={parts} />
    </section>
  );
}

function View({ parts }: ScreenProps) {
  const [first] = parts;
  if (first === undefined) return <MonitorList />;
  if (first === "alerts") return <AlertTable />;
  if (first === "webhooks") return <WebhookList />;
  if (first === "new") return <MonitorForm monitor={null} />;
  return <MonitorView key={first} monitorId={first} />;
}
