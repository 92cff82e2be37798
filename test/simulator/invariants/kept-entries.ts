import type { Outcome } from "../actors/stepwise";

/** Returns true if an apply reported that this list keeps entries until the next plan shows their removal. */
export const keepsEntries = ({ diagnostics }: Pick<Outcome, "diagnostics">, identity: string): boolean =>
  identity.startsWith("list ") && diagnostics.some(({ code }) => code === "entry_not_planned");
