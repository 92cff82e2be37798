import { play } from "./play";

play("forged-plan", "saved-plan");
