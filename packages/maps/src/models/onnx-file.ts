import { ProtobufError, protobufFields } from "./protobuf-fields.ts";

/** A tensor that goes in or out of a graph. */
export interface OnnxTensorInfo {
  readonly name: string;
  /** A number of `ONNX_TYPES`, or another one of the format; 0 when it is not said or no tensor. */
  readonly elementType: number;
  /** Null where a dimension is dynamic; null as a whole when nothing is said. */
  readonly dims: readonly (number | null)[] | null;
}

/** Static description of a model, without running it. */
export interface OnnxFile {
  /** Without inputs that have a default value. */
  readonly inputs: readonly OnnxTensorInfo[];
  readonly outputs: readonly OnnxTensorInfo[];
  /** Notes of the tool that wrote the file. */
  readonly metadata: ReadonlyMap<string, string>;
}

export type ReadOnnxFile =
  | { readonly valid: true; readonly file: OnnxFile }
  | { readonly valid: false; readonly faults: readonly string[] };

/** Element types of the format that models may have here. */
export const ONNX_TYPES = { float32: 1, uint8: 2, float16: 10 } as const;

/** Element types of whole numbers, which only labels may have. */
export const LABEL_TYPES: readonly number[] = [6, 7];

/** Domains whose operators are part of the runtime; operators of all others live in libraries, which are never loaded. */
const DOMAINS = new Set(["", "ai.onnx", "ai.onnx.ml", "com.microsoft"]);
/** Large transformers have about ten thousand nodes. */
const MAX_NODES = 50_000;
const MAX_TENSORS = 50_000;
/** Graphs within the nodes of graphs; loops in loops are rarely three deep. */
const MAX_DEPTH = 8;
const MAX_TENSORS_IN_OUT = 64;
const MAX_METADATA = 256;
const MAX_FAULTS = 8;
/** Lists of class names are the longest. */
const MAX_TEXT_BYTES = 65_536;

/**
 * Decides whether a runtime may open a model, without running it.
 * - The file is an ONNX message of a harmless size.
 * - It contains all its numbers: `data_location` and `external_data` of every tensor, also in nested graphs, functions and
 *   attributes.
 * - Its operators belong to the runtime or are functions of the file.
 *
 * Source of the field numbers: onnx.proto of ONNX 1.19.
 */
export function readOnnxFile(bytes: Uint8Array): ReadOnnxFile {
  // A runtime takes bytes with this mark for its own format, whatever else they are.
  if (text(bytes.subarray(4, 8)) === "ORTM") {
    return { valid: false, faults: ["got a model in the format of one runtime (ORT), expected ONNX"] };
  }
  const walk = new Walk();
  try {
    walk.model(bytes);
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    return { valid: false, faults: [`is no ONNX model: ${error.message}`] };
  }
  const faults = walk.allFaults();
  return faults.length > 0 ? { valid: false, faults } : { valid: true, file: walk.file() };
}

/** UTF-8; bytes that are none are one sign that no name has, and long texts end at their bound. */
function text(bytes: Uint8Array): string {
  const encoded = Array.from(bytes.subarray(0, MAX_TEXT_BYTES), (byte) => `%${byte.toString(16).padStart(2, "0")}`);
  try {
    return decodeURIComponent(encoded.join(""));
  } catch {
    return "\uFFFD";
  }
}

class Walk {
  readonly #faults = new Set<string>();
  readonly #inputs: OnnxTensorInfo[] = [];
  readonly #outputs: OnnxTensorInfo[] = [];
  readonly #initialisers = new Set<string>();
  readonly #metadata = new Map<string, string>();
  /** `domain operator` of nodes of unknown domains, and of the functions that the file defines. */
  readonly #foreign = new Set<string>();
  readonly #functions = new Set<string>();
  #nodes = 0;
  #tensors = 0;
  #graphs = 0;

  model(bytes: Uint8Array): void {
    for (const { number, bytes: part } of protobufFields(bytes)) {
      if (number === 7) {
        this.#graphs++;
        this.#graph(part, 0);
      } else if (number === 14) this.#note(part);
      else if (number === 20) this.#fault("has parts for training, expected a model for inference only");
      else if (number === 25) this.#function(part);
    }
  }

  allFaults(): readonly string[] {
    if (this.#graphs !== 1) this.#fault(`has ${this.#graphs} graphs, expected 1`);
    for (const used of this.#foreign) {
      if (this.#functions.has(used)) continue;
      const [domain, operator] = used.split("\n");
      this.#fault(`needs the operator ${operator} of ${domain}: libraries of custom operators are not loaded`);
    }
    return [...this.#faults].slice(0, MAX_FAULTS);
  }

  file(): OnnxFile {
    return {
      inputs: this.#inputs.filter(({ name }) => !this.#initialisers.has(name)),
      outputs: this.#outputs,
      metadata: this.#metadata,
    };
  }

  #fault(fault: string): void {
    if (this.#faults.size < MAX_FAULTS) this.#faults.add(fault);
  }

  #note(bytes: Uint8Array): void {
    if (this.#metadata.size >= MAX_METADATA) return;
    let [key, value] = ["", ""];
    for (const { number, bytes: part } of protobufFields(bytes)) {
      if (number === 1) key = text(part);
      else if (number === 2) value = text(part);
    }
    this.#metadata.set(key, value);
  }

  #function(bytes: Uint8Array): void {
    let [domain, name] = ["", ""];
    for (const { number, bytes: part } of protobufFields(bytes)) {
      if (number === 1) name = text(part);
      else if (number === 10) domain = text(part);
      else if (number === 7) this.#node(part, 1);
      else if (number === 11) this.#attribute(part, 1);
    }
    this.#functions.add(`${domain}\n${name}`);
  }

  #graph(bytes: Uint8Array, depth: number): void {
    if (depth > MAX_DEPTH) throw new ProtobufError(`has graphs in graphs deeper than ${MAX_DEPTH}`);
    for (const { number, bytes: part } of protobufFields(bytes)) {
      if (number === 1) this.#node(part, depth);
      else if (number === 5) {
        const name = this.#tensor(part);
        if (depth === 0) this.#initialisers.add(name);
      } else if (number === 15) this.#sparse(part);
      else if (depth === 0 && number === 11) this.#tell(this.#inputs, part);
      else if (depth === 0 && number === 12) this.#tell(this.#outputs, part);
    }
  }

  #node(bytes: Uint8Array, depth: number): void {
    if (++this.#nodes > MAX_NODES) throw new ProtobufError(`has more than ${MAX_NODES} nodes`);
    let [domain, operator] = ["", ""];
    for (const { number, bytes: part } of protobufFields(bytes)) {
      if (number === 4) operator = text(part);
      else if (number === 7) domain = text(part);
      else if (number === 5) this.#attribute(part, depth);
    }
    if (!DOMAINS.has(domain)) this.#foreign.add(`${domain.slice(0, 80)}\n${operator.slice(0, 80)}`);
    if (operator === "EPContext") this.#fault("needs a compiled part in another file, expected a model in one file");
  }

  #attribute(bytes: Uint8Array, depth: number): void {
    for (const { number, bytes: part } of protobufFields(bytes)) {
      if (number === 5 || number === 10) this.#tensor(part);
      else if (number === 6 || number === 11) this.#graph(part, depth + 1);
      else if (number === 22 || number === 23) this.#sparse(part);
    }
  }

  #sparse(bytes: Uint8Array): void {
    for (const { number, bytes: part } of protobufFields(bytes)) if (number === 1 || number === 2) this.#tensor(part);
  }

  #tensor(bytes: Uint8Array): string {
    if (++this.#tensors > MAX_TENSORS) throw new ProtobufError(`has more than ${MAX_TENSORS} tensors`);
    let name = "";
    let isExternal = false;
    for (const { number, value, bytes: part } of protobufFields(bytes)) {
      if (number === 8) name = text(part);
      else if (number === 13) isExternal = true;
      else if (number === 14) isExternal ||= value !== 0;
    }
    if (isExternal) {
      this.#fault(`keeps the numbers of ${name.slice(0, 80)} in another file, expected all inside (external data)`);
    }
    return name;
  }

  #tell(list: OnnxTensorInfo[], bytes: Uint8Array): void {
    if (list.length >= MAX_TENSORS_IN_OUT)
      throw new ProtobufError(`has more than ${MAX_TENSORS_IN_OUT} inputs or outputs`);
    let name = "";
    let elementType = 0;
    let dims: readonly (number | null)[] | null = null;
    for (const field of protobufFields(bytes)) {
      if (field.number === 1) name = text(field.bytes);
      if (field.number !== 2) continue;
      for (const type of protobufFields(field.bytes)) {
        if (type.number !== 1) continue;
        for (const { number, value, bytes: part } of protobufFields(type.bytes)) {
          if (number === 1) elementType = value;
          else if (number === 2) dims = shapeOf(part);
        }
      }
    }
    list.push({ name, elementType, dims });
  }
}

function shapeOf(bytes: Uint8Array): readonly (number | null)[] {
  const dims: (number | null)[] = [];
  for (const { number, bytes: part } of protobufFields(bytes)) {
    if (number !== 1) continue;
    let dim: number | null = null;
    for (const { number: kind, value } of protobufFields(part)) if (kind === 1) dim = value;
    dims.push(dim);
  }
  return dims;
}
