import { play } from "./play";

play("approved", "ci", "ci-requests");
