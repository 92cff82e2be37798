import { play } from "./play";

play("drift", "limits", "unchecked", "undeclared");
