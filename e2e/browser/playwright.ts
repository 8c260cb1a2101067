/** The part of playwright-core's interface that the suites use; the package is installed at first use. */
export interface Playwright {
  readonly chromium: {
    launch(options: { readonly executablePath: string; readonly args: readonly string[] }): Promise<Browser>;
  };
}

export interface Browser {
  newPage(options?: {
    readonly viewport?: { readonly width: number; readonly height: number };
    readonly bypassCSP?: boolean;
    readonly reducedMotion?: "reduce";
  }): Promise<Page>;
  close(): Promise<void>;
}

/** A message in the console of the browser, with the address that it is about. */
interface LoggedMessage {
  type(): string;
  text(): string;
  location(): { readonly url: string };
}

export interface Page extends Finder {
  goto(url: string): Promise<unknown>;
  reload(): Promise<unknown>;
  url(): string;
  close(): Promise<void>;
  screenshot(options?: { readonly path: string }): Promise<Buffer>;
  setViewportSize(size: { readonly width: number; readonly height: number }): Promise<void>;
  evaluate<Result>(script: string): Promise<Result>;
  waitForURL(pattern: RegExp | ((url: URL) => boolean)): Promise<void>;
  waitForEvent(event: "download"): Promise<{ path(): Promise<string> }>;
  addScriptTag(options: { readonly content: string }): Promise<unknown>;
  context(): Context;
  frameLocator(selector: string): Finder;
  /** Decides on each request whose address matches. */
  route(pattern: RegExp, decide: (route: Route) => Promise<void>): Promise<void>;
  on(event: "console", listener: (message: LoggedMessage) => void): void;
  on(event: "pageerror", listener: (error: Error) => void): void;
  on(event: "request", listener: (request: { url(): string }) => void): void;
  readonly clock: { install(): Promise<void>; fastForward(minutesAndSeconds: string): Promise<void> };
  readonly keyboard: { press(key: string): Promise<void> };
  readonly mouse: {
    move(x: number, y: number): Promise<void>;
    click(x: number, y: number): Promise<void>;
    down(): Promise<void>;
    up(): Promise<void>;
  };
}

interface Context {
  clearCookies(): Promise<void>;
  newCDPSession(page: Page): Promise<DevTools>;
  setOffline(isOffline: boolean): Promise<void>;
  grantPermissions(names: readonly string[]): Promise<void>;
}

/** A session of the Chrome DevTools protocol. */
export interface DevTools {
  send<Answer>(method: string, parameters?: Readonly<Record<string, unknown>>): Promise<Answer>;
}

interface Route {
  request(): { method(): string; postData(): string | null };
  abort(): Promise<void>;
  continue(): Promise<void>;
}

interface Finder {
  locator(selector: string): Locator;
  getByLabel(text: string | RegExp): Locator;
  getByText(text: string | RegExp, options?: { readonly exact?: boolean }): Locator;
  getByRole(role: string, options?: { readonly name?: string | RegExp; readonly exact?: boolean }): Locator;
}

interface Locator extends Finder {
  first(): Locator;
  nth(position: number): Locator;
  count(): Promise<number>;
  click(): Promise<void>;
  check(): Promise<void>;
  fill(text: string): Promise<void>;
  setInputFiles(path: string): Promise<void>;
  press(key: string): Promise<void>;
  selectOption(value: string): Promise<unknown>;
  hover(): Promise<void>;
  innerText(): Promise<string>;
  getAttribute(name: string): Promise<string | null>;
  allTextContents(): Promise<readonly string[]>;
  textContent(): Promise<string | null>;
  inputValue(): Promise<string>;
  boundingBox(): Promise<{
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  } | null>;
  waitFor(options?: {
    readonly state?: "attached" | "detached" | "hidden" | "visible";
    readonly timeout?: number;
  }): Promise<void>;
}
