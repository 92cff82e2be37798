import { play } from "./play";

play("accept", "drift", "limits", "repair", "selected-paths", "unchecked", "undeclared", "waves");
