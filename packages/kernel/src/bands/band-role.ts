/**
 * Spectral role of a band, with the codes of the Awesome Spectral Indices catalogue
 * (Montero et al. 2023, Scientific Data 10, 197). Radar roles are linear power.
 */
export type BandRole =
  | "A"
  | "B"
  | "G1"
  | "G"
  | "Y"
  | "R"
  | "RE1"
  | "RE2"
  | "RE3"
  | "N"
  | "N2"
  | "WV"
  | "C"
  | "S1"
  | "S2"
  | "T"
  | "T1"
  | "T2"
  | "P"
  | "HH"
  | "HV"
  | "VH"
  | "VV";
