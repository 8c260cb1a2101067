const SHOWN_CHARACTERS = 8000;

/** The report without its start and without its warnings, which are long. */
export function faultsIn(report: string): string {
  const start = Math.max(0, report.search(/^=+ (ERRORS|FAILURES) =+$/m));
  const [faults = ""] = report.slice(start).split(/^=+ WARNINGS =+$/m);
  return faults.slice(0, SHOWN_CHARACTERS);
}

/** Python before 3.11.5 fails so in deep calls of several threads: https://github.com/python/cpython/issues/106905. */
const FAULT_OF_PYTHON = "AST constructor recursion depth mismatch";

/** Operations whose generator Python could not run; 0 when anything else went wrong, too. */
export function failsItselfAlone(report: string): number {
  if (/^=+ FAILURES =+$/m.test(report)) return 0;
  const [, section = ""] = report.split(/^=+ ERRORS =+$/m);
  const [errors = ""] = section.split(/^=+ [A-Z]+ =+$/m);
  const [, ...operations] = errors.split(/^_+ .+ _+$/m);
  return operations.every((operation) => operation.includes(FAULT_OF_PYTHON)) ? operations.length : 0;
}
