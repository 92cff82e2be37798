import { play } from "./play";

play("accept", "drift", "fleet-shards", "limits", "waves", "unchecked", "undeclared");
