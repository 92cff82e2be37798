import { play } from "./play";

play(
  "changed-outside",
  "containers",
  "lifecycle",
  "live-values",
  "numeric-ids",
  "plan-rights",
  "questions",
  "renames",
  "sensitive-ids",
  "show-requests",
  "token-without-role",
);
