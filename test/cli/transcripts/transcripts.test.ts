import { play } from "./play";

play(
  "changed-outside",
  "containers",
  "drift",
  "lifecycle",
  "limits",
  "plan-rights",
  "renames",
  "report-policies",
  "show-requests",
  "state",
  "undeclared",
);
