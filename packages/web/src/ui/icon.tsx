/** Lines on a grid of 24, by name. */
const PATHS = {
  area: "m5 8 8-4 7 7-5 9-9-3z",
  bell: "M6 16.500V11a6 6 0 0 1 12 0v5.500l1.500 1.500h-15zM10 20.500h4",
  box: "M4.5 5.500h15v13h-15z",
  chart: "M4 4v16h16M7 15l4-5 3 3 5-7",
  check: "m5 12.500 4.500 4.500L19 7.500",
  close: "m6 6 12 12M18 6 6 18",
  download: "M12 4v11m-5-5 5 5 5-5M4 20h16",
  compare: "M12 3v18M9 6H4v12h5M15 6h5v12h-5",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  credits: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM15 9.200A4 4 0 1 0 15 14.800",
  cross: "M12 3v6M12 15v6M3 12h6M15 12h6",
  eye: "M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12zM12 9.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5z",
  hidden:
    "M4 4l16 16M9.500 5.900A9 9 0 0 1 12 5.500c6 0 9.500 6.500 9.500 6.500a17 17 0 0 1-3 3.700M6 8a16 16 0 0 0-3.500 4S6 18.500 12 18.500a9 9 0 0 0 4-1",
  left: "m14.500 5-7 7 7 7",
  link: "M10 14a4 4 0 0 0 5.700 0l3-3A4 4 0 0 0 13 5.300l-1 1M14 10a4 4 0 0 0-5.700 0l-3 3A4 4 0 0 0 11 18.700l1-1",
  minus: "M5 12h14",
  moon: "M19.500 14.500A8 8 0 0 1 9.500 4.500a8 8 0 1 0 10 10z",
  out: "M14 5h-8v14h8M11 12h9m-3-3 3 3-3 3",
  pause: "M8 5v14M16 5v14",
  play: "M7 4.500v15l12-7.500z",
  plus: "M12 5v14M5 12h14",
  question:
    "M9.600 9.500a2.500 2.500 0 1 1 3.400 2.400c-.7.300-1 .8-1 1.600M12 16.600v.1M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17z",
  right: "m9.500 5 7 7-7 7",
  search: "M11 4.500a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zM16 16l4.500 4.500",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.500v2M12 19.500v2M2.500 12h2M19.500 12h2M5.300 5.300l1.400 1.400M17.300 17.300l1.400 1.400M5.300 18.700l1.400-1.400M17.300 6.700l1.400-1.400",
  table: "M4 5h16v14H4zM4 10h16M4 14.500h16M10 10v9",
  swap: "M4 8h14m-4-4 4 4-4 4M20 16H6m4-4-4 4 4 4",
  tasks: "m3.500 6.500 1.700 1.700L8 5M3.500 16.500l1.700 1.700L8 15M11.500 7h9M11.500 17h9",
  tiles: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  up: "m6 14.500 6-6 6 6",
  upload: "M12 15V4m-5 5 5-5 5 5M4 20h16",
  view: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  warning: "M12 4 2.500 20h19zM12 10v5M12 17.500v.1",
} as const;

export type IconName = keyof typeof PATHS;

/** A picture beside a name: screen readers pass over it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
