/** Resolves in a task of the browser after this one: what the user did meanwhile is answered before. */
export async function nextTask(): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve);
  });
}
