import { play } from "./play";

play("cross-stack", "ephemeral-token", "policies", "report-policies", "stacks", "variable-files");
