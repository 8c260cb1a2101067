/** Texts of the list of calls. */
export const callsText = {
  title: "API calls",
  about: "What this page asked of the service. Each call runs elsewhere too: set SWATH_TOKEN to a token or an API key.",
  none: "Calls of this page appear here.",
  clear: "Empty the list",
  close: "Close",
  docs: "All operations",
  running: "running",
  noAnswer: "no answer",
  times: (count: number) => `× ${count}`,
  languages: "Language",
  copy: "Copy",
  copied: "Copied",
  call: "Call",
  noBody: "The body of this call is a file, or longer than 400,000 characters. It is left out.",
} as const;
