/** Resolves in a later task of the browser, so that clicks and keys are answered before. */
export async function nextTask(): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve);
  });
}
