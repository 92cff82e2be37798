import { play } from "./play";

play("environment-names", "numeric-ids", "sensitive-ids");
