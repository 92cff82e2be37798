import { play } from "./play";

play("live-platform", "named-files", "recovery", "refusals", "snapshot", "state");
