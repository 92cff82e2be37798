import { play } from "./play";

play("accept", "drift", "limits", "waves", "unchecked", "undeclared");
