/** The standard interface of the host, of which the types of the language know nothing. */
interface Host {
  readonly atob: (base64: string) => string;
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => object;
    readonly Instance: new (module: object, imports: Imports) => { readonly exports: unknown };
  };
}

type Imports = Readonly<Record<string, Readonly<Record<string, () => void>>>>;

/** A module that is compiled once, when it is first asked for. */
export class CompiledModule {
  readonly #base64: string;
  #compiled: object | null = null;

  constructor(base64: string) {
    this.#base64 = base64;
  }

  /** The exports of a new instance, with memory to itself. */
  instantiate(imports: Imports = {}): unknown {
    const { atob, WebAssembly } = globalThis as unknown as Host;
    this.#compiled ??= new WebAssembly.Module(Uint8Array.from(atob(this.#base64), (one) => one.charCodeAt(0)));
    return new WebAssembly.Instance(this.#compiled, imports).exports;
  }
}
