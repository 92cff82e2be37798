import { play } from "./play";

play(
  "changed-outside",
  "containers",
  "explain",
  "lifecycle",
  "live-values",
  "moved-paths",
  "plan-rights",
  "questions",
  "renames",
  "show-requests",
  "token-without-role",
);
