import { signal, type ReadonlySignal } from "@preact/signals";

/** Whether single keys act: people who dictate switch them off (WCAG 2.1.4). */
export interface KeySetting {
  readonly areOn: ReadonlySignal<boolean>;
  set(areOn: boolean): void;
}

const NAME = "swath-single-keys";

export function createKeySetting(storage: Pick<Storage, "getItem" | "setItem">): KeySetting {
  const areOn = signal(storage.getItem(NAME) !== "off");
  return {
    areOn,
    set(next) {
      areOn.value = next;
      storage.setItem(NAME, next ? "on" : "off");
    },
  };
}
