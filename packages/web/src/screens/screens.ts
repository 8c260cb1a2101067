import { callsText } from "../calls/calls-text.ts";
import { exportText } from "../export/export-text.ts";
import { compareText } from "../compare/compare-text.ts";
import { ingestText } from "../ingest/ingest-text.ts";
import { text } from "../text/en.ts";
import { sceneText } from "../scene/scene-text.ts";
import { shareText } from "../share/share-text.ts";
import { objectsText } from "../objects/objects-text.ts";
import { seriesText } from "../series/series-text.ts";
import type { Screen } from "./screen.ts";

/** All screens besides the search, in the order of the navigation: each is one folder and one line. */
export const SCREENS: readonly Screen[] = [
  {
    name: "ingest",
    title: ingestText.title,
    place: "side",
    isListed: (rights) => rights.holds(ingestText.permission),
    load: async () => (await import("../ingest/ingest-screen.tsx")).IngestScreen,
  },
  {
    name: "areas",
    title: text.screens.areas,
    place: "side",
    isListed: (rights) => rights.holds("geojson.feature.list"),
    load: async () => (await import("../areas/areas-screen.tsx")).AreasScreen,
  },
  {
    name: "analyses",
    title: text.screens.analyses,
    place: "side",
    isListed: (rights) => rights.holds("analytics.analysis.api"),
    load: async () => (await import("../analyses/analyses-screen.tsx")).AnalysesScreen,
  },
  {
    name: "monitors",
    title: text.screens.monitors,
    place: "side",
    isListed: (rights) => rights.holds("imagery.monitors"),
    load: async () => (await import("../monitors/monitors-screen.tsx")).MonitorsScreen,
  },
  {
    name: "tasking",
    title: text.screens.tasking,
    place: "side",
    isListed: (rights) => rights.holds("scene-tasking.check-credit"),
    load: async () => (await import("../tasking/tasking-screen.tsx")).TaskingScreen,
  },
  {
    name: "credits",
    title: text.screens.credits,
    place: "page",
    isListed: (rights) =>
      rights.holds("credits.list-group-transactions") || rights.holds("credits.list-user-transactions"),
    load: async () => (await import("../credits/credits-screen.tsx")).CreditsScreen,
  },
  {
    name: "admin",
    title: text.screens.admin,
    place: "page",
    isListed: (rights) => ["admin.users.list", "admin.users.manage", "organization"].some((one) => rights.holds(one)),
    load: async () => (await import("../admin/admin-screen.tsx")).AdminScreen,
  },
  {
    name: "calls",
    title: callsText.title,
    place: "below",
    isListed: () => true,
    load: async () => (await import("../calls/calls-screen.tsx")).CallsScreen,
  },
  {
    name: "scene",
    title: sceneText.title,
    place: "side",
    isListed: () => false,
    load: async () => (await import("../scene/scene-screen.tsx")).SceneScreen,
  },
  {
    name: "compare",
    title: compareText.title,
    place: "over",
    isListed: () => false,
    load: async () => (await import("../compare/compare-screen.tsx")).CompareScreen,
  },
  {
    name: "share",
    title: shareText.title,
    place: "side",
    isListed: () => false,
    load: async () => (await import("../share/share-screen.tsx")).ShareScreen,
  },
  {
    name: "export",
    title: exportText.title,
    place: "side",
    isListed: () => false,
    load: async () => (await import("../export/export-screen.tsx")).ExportScreen,
  },
  {
    name: "objects",
    title: objectsText.title,
    place: "below",
    isListed: () => false,
    load: async () => (await import("../objects/objects-screen.tsx")).ObjectsScreen,
  },
  {
    name: "series",
    title: seriesText.title,
    place: "below",
    isListed: () => false,
    load: async () => (await import("../series/series-screen.tsx")).SeriesScreen,
  },
];
