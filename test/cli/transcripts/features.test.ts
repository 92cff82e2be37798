import { describeFeature } from "../../support/compatibility";
import { play } from "./play";

// These tests prove the rows about the embedded engine in docs/compatibility.md.

describeFeature("provider", ["embedded-engine"], () => play("features provider"));
describeFeature("resources", ["embedded-engine"], () => play("features resources"));
describeFeature("plan-destroy", ["embedded-engine"], () => play("features plan-destroy"));
describeFeature("data-sources", ["embedded-engine"], () => play("features data-sources"));
describeFeature("import-by-id", ["embedded-engine"], () => play("features import-by-id"));
describeFeature("import-by-identity", ["embedded-engine"], () => play("features import-by-identity"));
describeFeature("ephemeral-values", ["embedded-engine"], () => play("features ephemeral-values"));
describeFeature("functions", ["embedded-engine"], () => play("features functions"));
describeFeature("identity", ["embedded-engine"], () => play("features identity"));
