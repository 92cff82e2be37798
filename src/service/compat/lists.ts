import type { ByMode } from "../settings/compat-mode";

/** Up to how many records a list tells its total (specification, Limits); 0 never does. */
export const COUNTED_RECORDS: ByMode<number> = { strict: 10_000, observed: 0 };
