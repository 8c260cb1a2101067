/** Texts of held areas. */
export const heldText = {
  title: "Held areas",
  permission: "credits.list-group-allocations",
  newest: (count: number) => `newest ${count}`,
} as const;
