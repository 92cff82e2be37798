/**
 * The measured steps of a case in their order: create all objects, plan without a change, plan with one change, delete
 * all objects.
 */
export const STEPS = ["apply", "plan", "change", "destroy"] as const;
export type Step = (typeof STEPS)[number];
