// Reads live settings and writes them as a fixture of the embedded service, on request with invented names. A snapshot
// never contains tokens.

export { NOT_VISIBLE, type Note } from "./notes";
export { type Snapshot, type SnapshotOptions, takeSnapshot } from "./take-snapshot";
export { FIRST_LINE } from "./write-yaml";
