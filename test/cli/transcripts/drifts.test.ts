import { play } from "./play";

play("accept", "drift", "limits", "repair", "unchecked", "undeclared", "waves");
