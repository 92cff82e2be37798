import { play } from "./play";

play(
  "cross-stack",
  "ephemeral-token",
  "live-platform",
  "live-values",
  "named-files",
  "refusals",
  "stacks",
  "unchecked",
  "variable-files",
  "without-a-lock",
);
