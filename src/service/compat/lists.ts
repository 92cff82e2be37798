import type { ByMode } from "../settings/compat-mode";

/** Lists up to this size have total headers (specification, Limits); 0 means none. */
export const COUNTED_RECORDS: ByMode<number> = { strict: 10_000, observed: 0 };
