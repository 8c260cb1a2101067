import { useEffect, useState } from "preact/hooks";
import { PriceDialog } from "./buy/price-dialog.tsx";
import { KeysDialog } from "./commands/keys-dialog.tsx";
import { Palette } from "./commands/palette.tsx";
import { useCommands } from "./commands/use-commands.ts";
import { FindPanel } from "./find/find-panel.tsx";
import { Timeline } from "./find/timeline.tsx";
import { FileDrop } from "./ingest/file-drop.tsx";
import { MapView } from "./map/map-view.tsx";
import { InspectorPanel } from "./maps/inspector-panel.tsx";
import { LayersPanel } from "./maps/layers-panel.tsx";
import { Notices } from "./notices.tsx";
import { ScreenView } from "./screens/screen-view.tsx";
import { SCREENS } from "./screens/screens.ts";
import { SignIn } from "./session/sign-in.tsx";
import { TasksPanel } from "./tasks/tasks-panel.tsx";
import { text } from "./text/en.ts";
import { Sheet } from "./ui/sheet.tsx";
import { TopBar } from "./top-bar.tsx";
import { useConsole } from "./use-console.ts";

export function App() {
  const { state, session, route, attempt } = useConsole();
  const [isBuying, setBuying] = useState(false);
  const [isTasksOpen, setTasksOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  useEffect(() => attempt(() => session.start()), []);
  const windows = { toggleTasks: () => setTasksOpen(!isTasksOpen), openHelp: () => setHelpOpen(true) };
  useCommands(windows, () => setPaletteOpen(true));
  document.documentElement.dataset["theme"] = state.value.theme ?? "light";
  const screen = SCREENS.find(({ name }) => name === route.value.screen);
  // A screen that needs the map leaves it to be seen.
  const start = screen?.place === "below" || screen?.place === "over" ? "peek" : "half";
  const isPage = screen?.place === "page";
  const view = screen !== undefined && <ScreenView key={screen.name} screen={screen} parts={route.value.parts} />;
  return (
    <div class="app">
      <a class="skip" href="#map">
        {text.skip}
      </a>
      <TopBar isTasksOpen={isTasksOpen} onTasks={windows.toggleTasks} onHelp={windows.openHelp} />
      <main class={`work ${isPage ? "whole" : ""}`}>
        <h1 class="unseen">{screen?.title ?? text.name}</h1>
        {isPage && view}
        {!isPage && (
          <Sheet key={start} start={start}>
            {screen?.place === "side" ? view : <FindPanel onReview={() => setBuying(true)} />}
          </Sheet>
        )}
        {/* The map keeps its tiles while a page covers it. */}
        <div class="stage" hidden={isPage}>
          <div class="map-frame">
            <MapView />
            {screen?.place === "over" && view}
            <div class="rail">
              <LayersPanel />
              <InspectorPanel />
              {isTasksOpen && <TasksPanel onClose={() => setTasksOpen(false)} />}
            </div>
          </div>
          {screen?.place === "below" ? view : <Timeline />}
        </div>
        <Notices />
      </main>
      {isBuying && <PriceDialog onClose={() => setBuying(false)} />}
      {isPaletteOpen && <Palette windows={windows} onClose={() => setPaletteOpen(false)} />}
      {isHelpOpen && <KeysDialog windows={windows} onClose={() => setHelpOpen(false)} />}
      <FileDrop />
      <SignIn key={session.state.value.kind} />
    </div>
  );
}
