import { ScreenLink } from "../screens/screen-link.tsx";
import { text } from "../text/en.ts";
import { Icon } from "../ui/icon.tsx";
import { useConsole } from "../use-console.ts";

/** The way to the alerts, with a dot while some are unseen. */
export function AlertBell() {
  const { alerts, rights } = useConsole();
  if (!rights.value.holds("imagery.monitors")) return null;
  const { value: unseen } = alerts.unseen;
  const label = text.top.alerts(unseen);
  return (
    <span class="badge alert-bell">
      <ScreenLink screen="monitors" parts={["alerts"]} class="icon-button" label={label}>
        <Icon name="bell" />
      </ScreenLink>
      {unseen > 0 && <em aria-hidden="true">{unseen > 99 ? "99+" : unseen}</em>}
      <span class="unseen" role="status">
        {unseen > 0 ? label : ""}
      </span>
    </span>
  );
}
