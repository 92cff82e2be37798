import { runs } from "../../support/capabilities";
import { SAMPLES } from "../samples";

/** Whether a resource's suite runs with the habits of the live platform too: all of them do in `npm run soak`. */
export const isHeldToHabits = (type: string): boolean =>
  runs(0, 1) === 1 || SAMPLES[type]?.hasHabits === true;
