/** Search over the operations, signing in, and trying an operation out against the service itself. */
export const DOCS_SCRIPT = `
const byId = (id) => document.getElementById(id);
const find = byId("find");
const entries = [...document.querySelectorAll("[data-text]")];
find.addEventListener("input", () => {
  const words = find.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const entry of entries) entry.classList.toggle("hide", !words.every((word) => entry.dataset.text.includes(word)));
  for (const part of document.querySelectorAll("section[data-part]"))
    part.classList.toggle("hide", !part.querySelector("[data-text]:not(.hide)"));
});
function openLinked() {
  const linked = location.hash.length > 1 && byId(decodeURIComponent(location.hash.slice(1)));
  if (linked && linked.tagName === "DETAILS") linked.open = true;
}
addEventListener("hashchange", openLinked);
openLinked();

async function post(path, body, token) {
  const headers = { "content-type": "application/json" };
  if (token) headers.authorization = "Bearer " + token;
  const answer = await fetch(path, { method: "POST", headers, body });
  const text = await answer.text();
  let json = null;
  try { json = JSON.parse(text); } catch {}
  return { answer, text, json };
}

let secondLeg = null;
const signIn = byId("sign-in");
signIn?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const said = byId("signed");
  said.textContent = "…";
  try {
    const { answer, json } = secondLeg
      ? await post("/oauth/mfa", JSON.stringify({ mfa_token: secondLeg, otp: byId("otp").value.trim() }))
      : await post("/oauth/ro", JSON.stringify({ username: byId("email").value.trim(), password: byId("password").value, grant_type: "password" }));
    if (answer.ok && json) {
      byId("token").value = json.id_token ?? json.access_token;
      byId("password").value = "";
      byId("otp").value = "";
      byId("otp").classList.add("hide");
      secondLeg = null;
      said.textContent = "Signed in for ten hours, in this page only.";
    } else if (json?.error === "mfa_required") {
      secondLeg = json.mfa_token;
      byId("otp").classList.remove("hide");
      byId("otp").focus();
      said.textContent = "Enter the code of your authenticator application.";
    } else {
      secondLeg = null;
      said.textContent = answer.status + " " + (json?.error_description ?? answer.statusText);
    }
  } catch (error) { said.textContent = String(error); }
});

document.addEventListener("click", async (event) => {
  const path = event.target.dataset?.try;
  if (!path) return;
  const place = event.target.closest("div");
  const output = place.querySelector(".answer");
  output.classList.remove("hide");
  output.textContent = "…";
  try {
    const { answer, text, json } = await post(path, place.querySelector("textarea").value || "{}", byId("token").value.trim());
    const shown = json === null ? text : JSON.stringify(json, null, 2);
    output.textContent = answer.status + " " + answer.statusText + "\\n" + shown.slice(0, 100000);
  } catch (error) { output.textContent = String(error); }
});
`;
