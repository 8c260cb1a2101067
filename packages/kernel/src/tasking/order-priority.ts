/** Priorities of orders, from the most patient; a dataset offers some of them. */
export const ORDER_PRIORITIES = ["flexible", "standard", "priority", "urgent", "assured", "express"] as const;

export type OrderPriority = (typeof ORDER_PRIORITIES)[number];
