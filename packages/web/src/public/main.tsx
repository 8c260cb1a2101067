import { render } from "preact";
import { PublicPage } from "./public-page.tsx";

/** `/m/<map ID>` and `/m/<map ID>/embed` */
const [, mapId = ""] = /^\/m\/([^/]+)/.exec(location.pathname) ?? [];
const theme = new URLSearchParams(location.search).get("ui") === "dark" ? "dark" : "light";
const page = document.getElementById("app");
if (page === null) throw new Error("expected an element with the ID app");
document.documentElement.dataset["theme"] = theme;
render(<PublicPage mapId={mapId} theme={theme} />, page);
