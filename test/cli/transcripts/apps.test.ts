import { play } from "./play";

play(
  "cross-stack",
  "ephemeral-token",
  "policies",
  "report-policies",
  "shards",
  "stacks",
  "synth",
  "variable-files",
);
