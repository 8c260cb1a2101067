import type { ComponentType } from "preact";
import type { Rights } from "../rights.ts";
import type { ScreenProps } from "../screens/screen.ts";
import { ScreenLink } from "../screens/screen-link.tsx";
import { useConsole } from "../use-console.ts";
import { adminText as text } from "./admin-text.ts";
import { AuditPanel } from "./audit-panel.tsx";
import { GroupsPanel } from "./groups-panel.tsx";
import { KeysPanel } from "./keys-panel.tsx";
import { PricesPanel } from "./prices-panel.tsx";
import { UsersPanel } from "./users-panel.tsx";

interface Section {
  readonly name: keyof typeof text.names;
  /** Each of these permissions opens it; an empty list opens it for everybody. */
  readonly permissions: readonly string[];
  readonly Panel: ComponentType;
}

const SECTIONS: readonly Section[] = [
  { name: "users", permissions: ["admin.users.list", "admin.users.manage", "organization"], Panel: UsersPanel },
  { name: "groups", permissions: ["admin.groups.list", "admin.groups.manage", "organization"], Panel: GroupsPanel },
  { name: "keys", permissions: [], Panel: KeysPanel },
  { name: "prices", permissions: ["admin.credits.list-price-rules"], Panel: PricesPanel },
  { name: "audit", permissions: ["admin.audit.list"], Panel: AuditPanel },
];

/** `/console/admin/SECTION`; sections without the permission are absent. */
export function AdminScreen({ parts }: ScreenProps) {
  const { rights } = useConsole();
  const open = SECTIONS.filter((section) => isOpen(section, rights.value));
  const chosen = open.find(({ name }) => name === parts[0]) ?? open[0];
  return (
    <div class="page">
      <nav class="tabs" aria-label={text.sections}>
        {open.map(({ name }) => (
          <ScreenLink key={name} screen="admin" parts={[name]} class={name === chosen?.name ? "on" : ""}>
            {text.names[name]}
          </ScreenLink>
        ))}
      </nav>
      {chosen !== undefined && (
        <section class="stack" aria-label={text.names[chosen.name]}>
          <h2>{text.names[chosen.name]}</h2>
          <chosen.Panel />
        </section>
      )}
    </div>
  );
}

function isOpen({ permissions }: Section, rights: Rights): boolean {
  return permissions.length === 0 || permissions.some((permission) => rights.holds(permission));
}
