import { Icon, type IconName } from "./icon.tsx";

/** A button of one icon, with its name for screen readers and as a hint. */
export function IconButton(props: {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: () => void;
  readonly isPressed?: boolean;
  readonly class?: string;
}) {
  const { icon, label, onClick, isPressed } = props;
  return (
    <button
      type="button"
      class={`icon-button ${isPressed === true ? "on" : ""} ${props.class ?? ""}`}
      aria-label={label}
      aria-pressed={isPressed}
      title={label}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
