// The part of the WebAssembly interface that pixel kernels use; the Node.js types leave it to the DOM library.
declare namespace WebAssembly {
  class Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  interface Module {
    readonly [Symbol.toStringTag]: "WebAssembly.Module";
  }
  const Module: new (bytes: Uint8Array) => Module;
  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>);
    readonly exports: unknown;
  }
}
