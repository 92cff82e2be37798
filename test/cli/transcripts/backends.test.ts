import { play } from "./play";

play("http-backend", "state-migrate", "state-push", "without-a-lock");
