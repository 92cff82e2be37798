/** The measured steps of each case, in this order: from nothing, no change, one change, to nothing. */
export const STEPS = ["apply", "plan", "change", "destroy"] as const;
export type Step = (typeof STEPS)[number];
