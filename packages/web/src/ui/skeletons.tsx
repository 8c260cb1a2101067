import { text } from "../text/en.ts";

/** Stands where a panel loads for the first time. */
export function Skeletons({ label }: { readonly label: string }) {
  return (
    <div class="state" role="status" aria-label={text.screens.loading(label)}>
      <div class="skeleton" />
      <div class="skeleton" />
      <div class="skeleton" />
    </div>
  );
}
