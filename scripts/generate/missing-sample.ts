/** Thrown if a type has no sample. The message says what to do, so the script prints no stack trace. */
export class MissingSample extends Error {}
