/** Codes that `src/provider` raises. */
export const PROVIDER_CODES = {} as const;
