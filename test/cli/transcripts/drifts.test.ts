import { play } from "./play";

play("accept", "drift", "limits", "unchecked", "undeclared");
