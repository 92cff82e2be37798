import { play } from "./play";

play("drift-of-state", "history", "report", "reports");
