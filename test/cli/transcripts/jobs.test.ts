import { play } from "./play";

play("same-violations", "shards");
