interface FieldProps {
  readonly name: string;
  readonly label: string;
}

/** A field of a form that is read when the form is sent. */
export function TextField(
  props: FieldProps & {
    readonly type?: "date" | "email" | "number" | "password" | "text";
    readonly isRequired?: boolean;
    readonly value?: string;
    readonly onInput?: (value: string) => void;
  },
) {
  const { name, label, type = "text", isRequired = false, value, onInput } = props;
  // The attributes of an input depend on its type; these are of all types.
  const attributes: object = { type, step: type === "number" ? "any" : undefined };
  return (
    <label class="field">
      <span>{label}</span>
      <input
        {...attributes}
        name={name}
        required={isRequired}
        autocomplete={type === "password" ? "new-password" : "off"}
        defaultValue={value}
        onInput={(event) => onInput?.(event.currentTarget.value)}
      />
    </label>
  );
}

export function SelectField(
  props: FieldProps & {
    readonly options: readonly (readonly [value: string, label: string])[];
    readonly value?: string;
    /** Label of no choice; without it a choice is required. */
    readonly none?: string;
  },
) {
  const { name, label, options, value, none } = props;
  return (
    <label class="field">
      <span>{label}</span>
      <select name={name} required={none === undefined}>
        {none !== undefined && <option value="">{none}</option>}
        {options.map(([one, title]) => (
          <option key={one} value={one} selected={one === value}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

export function CheckField({ name, label, value = false }: FieldProps & { readonly value?: boolean }) {
  return (
    <label class="row">
      <input type="checkbox" name={name} value="yes" defaultChecked={value} />
      <span>{label}</span>
    </label>
  );
}
