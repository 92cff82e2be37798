import { play } from "./play";

play("access", "accounts", "levels");
