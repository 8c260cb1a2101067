import { launchBrowser, signIn } from "../e2e/browser/open-console.ts";
import { ServiceProcess } from "../e2e/service-process.ts";
import { isMet, printBudget, type Budget } from "./console/budget.ts";
import { bundleSizes } from "../e2e/browser/bundle-sizes.ts";
import { firstMap } from "./console/first-map.ts";
import { interactions } from "./console/interactions.ts";
import { lighthouse } from "./console/lighthouse.ts";
import { memory } from "./console/memory.ts";
import { pan } from "./console/pan.ts";
import { sharedMap } from "./console/shared-map.ts";

/** The console in Debian's Chromium without a GPU, against the real service, by its budgets. */
export async function run(): Promise<void> {
  await using service = await ServiceProcess.start({ SWATH_HOST: "127.0.0.1" });
  const link = await sharedMap(service);
  const budgets: Budget[] = [];
  const tell = (some: readonly Budget[]): void => {
    for (const budget of some) printBudget(budget);
    budgets.push(...some);
  };
  tell(bytes());
  tell(await firstMap(service, link));
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1368, height: 960 } });
    await signIn({ page, service });
    tell(await pan(page));
    tell(await interactions(page));
    tell(await memory(page));
  } finally {
    await browser.close();
  }
  tell(await lighthouse("the sign-in", `${service.baseUrl}/console`));
  tell(await lighthouse("a shared map", link.replace(/^[^?]*/, `${service.baseUrl}/console`)));
  const missed = budgets.filter((budget) => !isMet(budget));
  process.stdout.write(`console budgets met ${budgets.length - missed.length} of ${budgets.length}\n`);
  if (missed.length > 0) process.exitCode = 1;
}

function bytes(): readonly Budget[] {
  const { firstScriptKb, allScriptKb, styleKb, basemapKb } = bundleSizes();
  return [
    { name: "script of the first page", figure: firstScriptKb, unit: "KB gzip", limit: 180, kind: "most" },
    { name: "all scripts", figure: allScriptKb, unit: "KB gzip", limit: 300, kind: "most" },
    { name: "styles", figure: styleKb, unit: "KB gzip", limit: 12, kind: "most" },
    { name: "first outlines of land", figure: basemapKb, unit: "KB gzip", limit: 21, kind: "most" },
  ];
}
