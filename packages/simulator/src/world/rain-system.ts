import type { Block } from "./block.ts";
import type { NodeLattice } from "./node-lattice.ts";
import { createNodes, sampleNodes } from "./node-lattice.ts";
import { rainFields, systemFields } from "./weather.ts";

/** One weather system over a block, at the nodes of its rain. */
export interface RainSystem {
  readonly fine: NodeLattice;
  /** Strength of the system and texture of its rain, normal deviates. */
  readonly strength: Float32Array;
  readonly texture: Float32Array;
  /** Strength that the climate adds: deep convection of the tropics, frontal rain of the westerlies. */
  readonly zone: Float32Array;
}

/**
 * Systems kept. A system lasts nine hours: a month of rain over a country reads each of some eighty systems, times the
 * blocks of the country, again and again. A block of 32 pixels takes about 6 kB.
 */
const KEPT = 4096;
const systems = new Map<string, RainSystem>();

/** A weather system over a block, worked out or remembered. */
export function rainSystemOf(block: Block, system: number): RainSystem {
  const key = `${system}|${block.lonDeg[0]},${block.latDeg[0]},${block.lonDeg[3]},${block.latDeg[3]},${block.columns},${block.rows}`;
  const known = systems.get(key);
  if (known !== undefined) return known;
  const made = overBlock(block, system);
  if (systems.size >= KEPT) {
    const [oldest] = systems.keys();
    if (oldest !== undefined) systems.delete(oldest);
  }
  systems.set(key, made);
  return made;
}

function overBlock(block: Block, system: number): RainSystem {
  const { coarse, fine, zone } = latticesOf(block);
  const strengths = Float32Array.from(systemFields(system, coarse.place, coarse.columns * coarse.rows));
  const size = fine.columns * fine.rows;
  const strength = new Float32Array(size);
  const texture = Float32Array.from(rainFields(system, fine.place, size));
  for (let i = 0; i < size; i += 1) {
    const column = ((i % fine.columns) - 1) * 2;
    const row = (Math.floor(i / fine.columns) - 1) * 2;
    strength[i] = sampleNodes(coarse, strengths, column, row);
  }
  return { fine, strength, texture, zone };
}

interface Lattices {
  readonly coarse: NodeLattice;
  readonly fine: NodeLattice;
  readonly zone: Float32Array;
}

/** The lattices of the block that was asked for last: a leaving and a coming system share them. */
let last: { readonly block: Block; readonly lattices: Lattices } | null = null;

function latticesOf(block: Block): Lattices {
  if (last?.block === block) return last.lattices;
  const coarse = createNodes(block, 8);
  const fine = createNodes(block, 2);
  const zone = new Float32Array(fine.columns * fine.rows);
  for (let i = 0; i < zone.length; i += 1) {
    // A row of nodes shares its latitude.
    if (i % fine.columns > 0 && fine.latDeg[i] === fine.latDeg[i - 1]) {
      zone[i] = zone[i - 1]!;
      continue;
    }
    const latDeg = Math.abs(fine.latDeg[i]!);
    zone[i] = 0.35 * Math.exp(-((latDeg / 12) ** 2)) - 0.5 * Math.exp(-(((latDeg - 24) / 8) ** 2));
  }
  const lattices = { coarse, fine, zone };
  last = { block, lattices };
  return lattices;
}
