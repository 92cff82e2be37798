import { play } from "./play";

play("synth");
