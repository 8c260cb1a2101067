import ukisCsmask from "./ukis-csmask.json" with { type: "json" };

/** A model in a package, with the manifest that this project has written and run. */
interface PackagedModel {
  /** Path of the ONNX file inside the package. */
  readonly file: string;
  /** As `manifest.json`; its `sha256` is the digest of `file`. */
  readonly manifest: { readonly id: string; readonly sha256: string };
}

/** A package of the Python package index, which is a zip. */
export interface KnownPackage {
  readonly name: string;
  readonly version: string;
  /** Name of the wheel. */
  readonly file: string;
  /** Of the wheel. */
  readonly sha256: string;
  readonly models: readonly PackagedModel[];
}

/** Packages with open models that `swath models add` knows by name. */
export const KNOWN_PACKAGES: readonly KnownPackage[] = [ukisCsmask];
