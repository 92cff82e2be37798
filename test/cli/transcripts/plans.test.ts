import { play } from "./play";

play(
  "changed-outside",
  "containers",
  "lifecycle",
  "live-values",
  "numeric-ids",
  "plan-rights",
  "renames",
  "sensitive-ids",
  "show-requests",
  "token-without-role",
);
