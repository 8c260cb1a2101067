/** One setting: its name, its meaning and the reader of its text. */
export interface Variable<Value> {
  readonly name: string;
  /** Text of the configuration reference: the effect, with units and consequences. */
  readonly description: string;
  /** Text that is read when the variable is absent; null: `whenAbsent` is the value. */
  readonly defaultText: string | null;
  /** Default as the reference shows it. */
  readonly shownDefault: string;
  /** Form of the text, such as `integer 1 to 64`. */
  readonly form: string;
  readonly isSecret: boolean;
  readonly whenAbsent: Value | null;
  /** @throws {Error} with the received and the expected value */
  parse(text: string): Value;
}

interface Common {
  readonly name: string;
  readonly description: string;
}

/** A text; optional when it has no default. */
export function textVariable(input: Common & { readonly default: string }): Variable<string>;
export function textVariable(
  input: Common & { readonly default: null; readonly shownDefault?: string; readonly isSecret?: boolean },
): Variable<string | null>;
export function textVariable(
  input: Common & { readonly default: string | null; readonly shownDefault?: string; readonly isSecret?: boolean },
): Variable<string | null> {
  return {
    ...described(input, "text"),
    isSecret: input.isSecret ?? false,
    whenAbsent: null,
    parse: (text) => text,
  };
}

export function integerVariable(
  input: Common & {
    readonly default: number;
    readonly shownDefault?: string;
    readonly min: number;
    readonly max: number;
  },
): Variable<number> {
  const form = `integer ${input.min} to ${input.max}`;
  return {
    ...described({ ...input, default: String(input.default) }, form),
    isSecret: false,
    whenAbsent: null,
    parse(text) {
      const value = Number(text);
      if (text.trim() === "" || !Number.isInteger(value) || value < input.min || value > input.max) {
        throw new Error(`got "${text}", expected an ${form}`);
      }
      return value;
    },
  };
}

export function choiceVariable<const Choice extends string>(
  input: Common & { readonly default: Choice; readonly choices: readonly Choice[] },
): Variable<Choice> {
  const form = input.choices.map((choice) => `\`${choice}\``).join(", ");
  return {
    ...described(input, form),
    isSecret: false,
    whenAbsent: null,
    parse(text) {
      const found = input.choices.find((choice) => choice === text);
      if (found === undefined) throw new Error(`got "${text}", expected one of ${input.choices.join(", ")}`);
      return found;
    },
  };
}

/** `on` or `off`; also `true`, `false`, `1`, `0`. */
export function switchVariable(input: Common & { readonly default: boolean }): Variable<boolean> {
  return {
    ...described({ ...input, default: input.default ? "on" : "off" }, "`on`, `off`"),
    isSecret: false,
    whenAbsent: null,
    parse(text) {
      if (["on", "true", "1"].includes(text)) return true;
      if (["off", "false", "0"].includes(text)) return false;
      throw new Error(`got "${text}", expected on or off`);
    },
  };
}

/** An absolute address of one of the schemes, without a slash at its end. */
export function urlVariable(
  input: Common & { readonly schemes: readonly string[]; readonly shownDefault: string; readonly isSecret?: boolean },
): Variable<string | null> {
  const form = `address ${input.schemes.map((scheme) => `\`${scheme}://\``).join(" or ")}`;
  return {
    ...described({ ...input, default: null }, form),
    isSecret: input.isSecret ?? false,
    whenAbsent: null,
    parse(text) {
      const scheme = URL.canParse(text) ? new URL(text).protocol.slice(0, -1) : "";
      // The text itself may hold a password.
      if (!input.schemes.includes(scheme)) throw new Error(`expected an ${form.replaceAll("`", "")}`);
      return text.replace(/\/+$/u, "");
    },
  };
}

function described(
  input: Common & { readonly default: string | null; readonly shownDefault?: string },
  form: string,
): Pick<Variable<never>, "name" | "description" | "defaultText" | "shownDefault" | "form"> {
  return {
    name: input.name,
    description: input.description,
    defaultText: input.default,
    shownDefault:
      input.shownDefault ?? (input.default === null || input.default === "" ? "none" : `\`${input.default}\``),
    form,
  };
}
