export { NOT_VISIBLE, type Note } from "./notes";
export { type Snapshot, type SnapshotOptions, takeSnapshot } from "./take-snapshot";
export { FIRST_LINE } from "./write-yaml";
