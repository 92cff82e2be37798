import { play } from "./play";

play("cross-stack", "ephemeral-token", "fleet", "policies", "report-policies", "stacks", "variable-files");
