/** A flag of V8 before version 12. V8 12, which is in Node 22, does not know this flag: Node ends with "bad option". */
const COMPILES_LATER = Number.parseInt(process.versions.v8, 10) < 12 ? ["--interrupt-budget=1000000"] : [];

/**
 * Flags of Node for programs that run for a few seconds. With these flags, V8 optimizes little code and seldom collects
 * garbage.
 */
export const SHORT_PROGRAM: readonly string[] = [...COMPILES_LATER, "--max-semi-space-size=32"];
