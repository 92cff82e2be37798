import { play } from "./play";

play("approved", "ci", "forged-plan", "saved-plan");
