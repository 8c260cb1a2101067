/** Part of the scene of San Francisco airport whose aircraft were all labelled, pixels of the file. */
export const WESTERN_APRON = { left: 90, top: 300, right: 300, bottom: 510 } as const;

/**
 * Aircraft of that part, labelled by eye on the picture enlarged five times. `row`: at a gate, beside others. `alone`: on a
 * taxiway or in the middle of the apron. `doubtful`: an aircraft or the equipment beside a gate.
 */
export const APRON_AIRCRAFT: readonly (readonly [column: number, row: number, stand: "row" | "alone" | "doubtful"])[] =
  [
    [278, 312, "alone"],
    [187, 344, "alone"],
    [228, 341, "row"],
    [246, 334, "row"],
    [276, 354, "row"],
    [296, 366, "row"],
    [208, 371, "row"],
    [229, 381, "row"],
    [262, 399, "row"],
    [278, 408, "row"],
    [232, 412, "alone"],
    [132, 426, "row"],
    [112, 435, "row"],
    [154, 438, "row"],
    [176, 449, "row"],
    [197, 460, "row"],
    [220, 469, "row"],
    [112, 460, "row"],
    [134, 472, "row"],
    [154, 484, "row"],
    [178, 493, "row"],
    [119, 495, "alone"],
    [244, 450, "alone"],
    [272, 452, "alone"],
    [284, 446, "row"],
    [244, 477, "row"],
    [262, 482, "row"],
    [292, 458, "doubtful"],
    [210, 354, "doubtful"],
  ];
