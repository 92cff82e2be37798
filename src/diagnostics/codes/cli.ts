/** Codes that `src/cli` raises. */
export const CLI_CODES = {} as const;
