import { render } from "preact";
import { PublishedPage } from "./published-page.tsx";

const theme = new URLSearchParams(location.search).get("ui") === "dark" ? "dark" : "light";
const page = document.getElementById("app");
if (page === null) throw new Error("expected an element with the ID app");
document.documentElement.dataset["theme"] = theme;
render(<PublishedPage theme={theme} />, page);
