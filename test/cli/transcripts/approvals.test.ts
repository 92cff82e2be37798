import { play } from "./play";

play("approved", "ci");
