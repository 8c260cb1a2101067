import { AlertBell } from "./monitors/alert-bell.tsx";
import { ScreenLink } from "./screens/screen-link.tsx";
import { SCREENS } from "./screens/screens.ts";
import { text } from "./text/en.ts";
import { Credits } from "./ui/credits.tsx";
import { Icon } from "./ui/icon.tsx";
import { IconButton } from "./ui/icon-button.tsx";
import { useConsole } from "./use-console.ts";

export function TopBar(props: {
  readonly isTasksOpen: boolean;
  readonly onTasks: () => void;
  readonly onHelp: () => void;
}) {
  const { credit, tasks, state, update, session, rights, isOnlyLooking, attempt } = useConsole();
  const isDark = state.value.theme === "dark";
  return (
    <header class="top-bar">
      <a class="logo" href="/console" aria-label={text.name}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M13.5 2H21L10.500 22H3z" />
          <path d="M7.300 2h3.200L1.500 19v-6z" opacity=".38" />
        </svg>
        <span class="wide-only">{text.name}</span>
      </a>
      <nav aria-label={text.top.main}>
        <ScreenLink screen="">{text.top.find}</ScreenLink>
        {SCREENS.filter(({ isListed }) => isListed(rights.value)).map(({ name, title }) => (
          <ScreenLink key={name} screen={name}>
            {title}
          </ScreenLink>
        ))}
      </nav>
      <span class="spring" />
      {credit.value !== null && (
        <span class="balance">
          <Icon name="credits" />
          <Credits value={credit.value} /> <span class="wide-only">{text.top.credits}</span>
        </span>
      )}
      <AlertBell />
      <span class="badge">
        <IconButton
          icon="tasks"
          label={text.top.tasks(tasks.running.value)}
          isPressed={props.isTasksOpen}
          onClick={props.onTasks}
        />
        {tasks.running.value > 0 && <em aria-hidden="true">{tasks.running.value}</em>}
      </span>
      <IconButton
        icon={isDark ? "sun" : "moon"}
        label={isDark ? text.top.light : text.top.dark}
        onClick={() => update({ theme: isDark ? "light" : "dark" })}
      />
      <IconButton icon="question" label={text.keys.help} onClick={props.onHelp} class="wide-only" />
      {isOnlyLooking.value ? (
        <button
          type="button"
          class="button"
          onClick={() => {
            isOnlyLooking.value = false;
          }}
        >
          {text.signIn.submit}
        </button>
      ) : (
        <IconButton icon="out" label={text.top.signOut} onClick={() => attempt(() => session.signOut())} />
      )}
    </header>
  );
}
