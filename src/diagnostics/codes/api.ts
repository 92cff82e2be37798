/** Codes that `src/api` raises. */
export const API_CODES = {} as const;
