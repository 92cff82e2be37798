import { play } from "./play";

play("access", "described-reports", "drift-of-state", "history", "report", "report-heads", "reports");
