import { play } from "./play";

play("accept", "drift", "fleet-shards", "limits", "repair", "waves", "unchecked", "undeclared");
