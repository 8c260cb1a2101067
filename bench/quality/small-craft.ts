/**
 * Launches, tugs, barges and boats in the crops of PlanetScope, as column and row. The lists of ships leave them out.
 * They were marked by eye over the whole of both crops, drawn twice as large; moored vessels were not.
 */
export const SMALL_CRAFT = {
  planetscope_20170719_180901_101d_crop: [
    [18, 56],
    [321, 3],
    [346, 331],
    [426, 313],
    [597, 161],
    [616, 42],
    [617, 634],
    [749, 663],
    [771, 4],
    [1347, 708],
    [1592, 152],
    [1699, 221],
  ],
  planetscope_20171022_175534_100e_crop: [
    [139, 845],
    [253, 856],
    [475, 356],
    [480, 6],
    [575, 105],
    [660, 423],
    [680, 238],
    [695, 81],
    [830, 191],
    [990, 751],
    [1018, 842],
    [1072, 122],
    [1192, 832],
    [1298, 722],
  ],
} as const satisfies Readonly<Record<string, readonly (readonly [column: number, row: number])[]>>;
