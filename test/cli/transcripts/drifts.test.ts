import { play } from "./play";

play("drift", "drift-of-state", "history", "limits", "reports", "unchecked", "undeclared");
