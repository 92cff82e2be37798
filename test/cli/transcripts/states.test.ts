import { play } from "./play";

play("live-platform", "named-files", "refusals", "snapshot", "state", "state-push", "without-a-lock");
