// The part of the WebAssembly interface that is limited; the Node.js types leave it to the DOM library.
declare namespace WebAssembly {
  class Memory {
    readonly buffer: ArrayBuffer;
  }
}
