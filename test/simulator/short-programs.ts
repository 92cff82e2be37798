/** V8 12, which is in Node 22, ends with "bad option" for the flag of earlier releases. */
const COMPILES_LATER = Number.parseInt(process.versions.v8, 10) < 12 ? ["--interrupt-budget=1000000"] : [];

/** Flags of Node for programs of a few seconds: little is compiled to be fast, and garbage is collected seldom. */
export const SHORT_PROGRAM: readonly string[] = [...COMPILES_LATER, "--max-semi-space-size=32"];
