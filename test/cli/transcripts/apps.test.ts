import { play } from "./play";

play(
  "cross-stack",
  "ephemeral-token",
  "fleet",
  "policies",
  "report-policies",
  "same-violations",
  "shards",
  "stacks",
  "synth",
  "variable-files",
);
