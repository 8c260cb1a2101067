/** Sentinel-2A; the epoch is 1 October 2026. */
export const LINE_1 = "1 40697U 15028A   26274.29857647 -.00000002  00000+0  15863-4 0  9990";
export const LINE_2 = "2 40697  98.5653 347.6046 0001070  85.9280 274.2026 14.30818852588907";

/** The same elements as a message. */
export const OMM = {
  OBJECT_NAME: "SENTINEL-2A",
  OBJECT_ID: "2015-028A",
  EPOCH: "2026-10-01T07:09:57.007008",
  MEAN_MOTION: 14.308_188_52,
  ECCENTRICITY: 0.000_107,
  INCLINATION: 98.5653,
  RA_OF_ASC_NODE: 347.6046,
  ARG_OF_PERICENTER: 85.928,
  MEAN_ANOMALY: 274.2026,
  NORAD_CAT_ID: 40_697,
  BSTAR: 0.000_015_863,
  MEAN_MOTION_DOT: -2e-8,
  MEAN_MOTION_DDOT: 0,
} as const;

/** The message of a satellite. */
export function ommOf(catalogueNumber: number, members: Readonly<Record<string, unknown>> = {}): object {
  return { ...OMM, NORAD_CAT_ID: catalogueNumber, OBJECT_NAME: `SAT ${catalogueNumber}`, ...members };
}

function element([name, value]: readonly [string, unknown]): string {
  return `<${name}>${String(value)}</${name}>`;
}

/** Messages as catalogues publish them in XML. */
export function ommXml(messages: readonly object[]): string {
  const omm = messages.map((one) => {
    const entries = Object.entries(one);
    const metadata = entries.filter(([name]) => name.startsWith("OBJECT"));
    const tle = entries.filter(([name]) => /^(?:NORAD|BSTAR|MEAN_MOTION_D)/u.test(name));
    const mean = entries.filter((entry) => !metadata.includes(entry) && !tle.includes(entry));
    const body = [
      `<metadata>${metadata.map(element).join("")}</metadata>`,
      `<data><meanElements>${mean.map(element).join("").replace("<INCLINATION>", '<INCLINATION units="deg">')}`,
      `</meanElements><tleParameters>${tle.map(element).join("")}</tleParameters></data>`,
    ];
    return `<omm id="CCSDS_OMM_VERS" version="3.0"><header/><body><segment>${body.join("")}</segment></body></omm>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?><ndm>${omm.join("")}</ndm>`;
}
