import { play } from "./play";

play(
  "access",
  "described-reports",
  "drift-of-state",
  "history",
  "report",
  "report-heads",
  "report-of-own-plan",
  "reports",
);
