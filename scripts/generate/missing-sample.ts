/** A type has no sample. Its message says all there is to do: no stack trace is needed. */
export class MissingSample extends Error {}
