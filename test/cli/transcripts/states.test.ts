import { play } from "./play";

play(
  "http-backend",
  "live-platform",
  "named-files",
  "recovery",
  "refusals",
  "snapshot",
  "state",
  "state-migrate",
  "state-push",
  "without-a-lock",
);
