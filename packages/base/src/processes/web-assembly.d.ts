// The part of the WebAssembly interface that a fixture uses; the Node.js types leave it to the DOM library.
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { readonly initial: number });
    readonly buffer: ArrayBuffer;
  }
}
