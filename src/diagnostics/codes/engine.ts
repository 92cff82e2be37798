/** Codes that `src/engine` raises. */
export const ENGINE_CODES = {} as const;
