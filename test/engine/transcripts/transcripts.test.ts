import { play } from "./play";

play("apply", "conditions", "excludes", "lifecycle", "moves", "plan");
