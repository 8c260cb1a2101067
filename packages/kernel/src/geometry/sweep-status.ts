const NONE = -1;

/**
 * Edges that cross the line of a sweep, ordered from south to north: a treap for finding a place, with a list through
 * its nodes for neighbours. Edges are numbers below `capacity`; each is in the order at most once.
 */
export class SweepStatus {
  readonly #left: Int32Array;
  readonly #right: Int32Array;
  readonly #parent: Int32Array;
  readonly #priority: Int32Array;
  readonly #below: Int32Array;
  readonly #above: Int32Array;
  #root = NONE;

  constructor(capacity: number) {
    const column = (): Int32Array => new Int32Array(capacity).fill(NONE);
    this.#left = column();
    this.#right = column();
    this.#parent = column();
    this.#below = column();
    this.#above = column();
    this.#priority = new Int32Array(capacity);
    // Multiplicative hashing: even priorities without a generator of random numbers keep the depth logarithmic.
    for (let edge = 0; edge < capacity; edge += 1) this.#priority[edge] = Math.imul(edge + 1, 0x9e3779b1);
  }

  /** The next edge to the south, or -1. */
  below(edge: number): number {
    return this.#below[edge] ?? NONE;
  }

  /** The next edge to the north, or -1. */
  above(edge: number): number {
    return this.#above[edge] ?? NONE;
  }

  /**
   * The edge directly south of a place, or -1 when there is none.
   *
   * @param side positive when the place is north of the edge, negative when it is south, 0 on it
   * @returns null when the place lies on an edge
   */
  locate(side: (edge: number) => number): number | null {
    let edge = this.#root;
    let south = NONE;
    while (edge !== NONE) {
      const which = side(edge);
      if (which === 0) return null;
      if (which > 0) {
        south = edge;
        edge = this.#right[edge] ?? NONE;
      } else edge = this.#left[edge] ?? NONE;
    }
    return south;
  }

  /** Puts an edge directly north of another one; -1 puts it south of all. */
  insertAbove(edge: number, south: number): void {
    const north = south === NONE ? this.#lowest() : this.above(south);
    this.#link(south, edge);
    this.#link(edge, north);
    if (this.#root === NONE) this.#root = edge;
    else if (south !== NONE && this.#right[south] === NONE) this.#adopt(south, this.#right, edge);
    // The northern neighbour has no left child when the southern one has a right child.
    else this.#adopt(north, this.#left, edge);
    this.#rise(edge);
  }

  /** Puts one edge in the place of another, which leaves. */
  replace(leaving: number, edge: number): void {
    this.#link(this.below(leaving), edge);
    this.#link(edge, this.above(leaving));
    for (const child of [this.#left, this.#right]) {
      const node = child[leaving] ?? NONE;
      child[edge] = node;
      child[leaving] = NONE;
      if (node !== NONE) this.#parent[node] = edge;
    }
    this.#priority[edge] = this.#priority[leaving] ?? 0;
    this.#replaceChild(this.#parent[leaving] ?? NONE, leaving, edge);
  }

  remove(edge: number): void {
    const south = this.below(edge);
    const north = this.above(edge);
    if (south !== NONE) this.#above[south] = north;
    if (north !== NONE) this.#below[north] = south;
    for (;;) {
      const left = this.#left[edge] ?? NONE;
      const right = this.#right[edge] ?? NONE;
      if (left === NONE || right === NONE) {
        this.#replaceChild(this.#parent[edge] ?? NONE, edge, left === NONE ? right : left);
        this.#left[edge] = NONE;
        this.#right[edge] = NONE;
        return;
      }
      this.#rotate((this.#priority[left] ?? 0) > (this.#priority[right] ?? 0) ? left : right);
    }
  }

  #lowest(): number {
    let edge = this.#root;
    while (edge !== NONE && this.#left[edge] !== NONE) edge = this.#left[edge] ?? NONE;
    return edge;
  }

  #link(south: number, north: number): void {
    if (south !== NONE) this.#above[south] = north;
    if (north !== NONE) this.#below[north] = south;
  }

  #adopt(parent: number, child: Int32Array, edge: number): void {
    child[parent] = edge;
    this.#parent[edge] = parent;
  }

  #replaceChild(parent: number, former: number, edge: number): void {
    if (parent === NONE) this.#root = edge;
    else if (this.#left[parent] === former) this.#left[parent] = edge;
    else this.#right[parent] = edge;
    if (edge !== NONE) this.#parent[edge] = parent;
  }

  #rise(edge: number): void {
    for (;;) {
      const parent = this.#parent[edge] ?? NONE;
      if (parent === NONE || (this.#priority[parent] ?? 0) >= (this.#priority[edge] ?? 0)) return;
      this.#rotate(edge);
    }
  }

  /** Swaps a node with its parent and keeps the order. */
  #rotate(edge: number): void {
    const parent = this.#parent[edge] ?? NONE;
    const isLeft = this.#left[parent] === edge;
    const [near, far] = isLeft ? [this.#left, this.#right] : [this.#right, this.#left];
    const inner = far[edge] ?? NONE;
    near[parent] = inner;
    if (inner !== NONE) this.#parent[inner] = parent;
    this.#replaceChild(this.#parent[parent] ?? NONE, parent, edge);
    far[edge] = parent;
    this.#parent[parent] = edge;
  }
}
