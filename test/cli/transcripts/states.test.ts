import { describeWith } from "../../support/capabilities";
import { play } from "./play";

play("live-platform", "named-files", "recovery", "refusals", "snapshot", "state");

describeWith("mkfifo", "pipes", () => play("pipes"));
