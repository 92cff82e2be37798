import { play } from "./play";

play("changed-outside", "containers", "lifecycle", "live-values", "plan-rights", "renames", "show-requests");
