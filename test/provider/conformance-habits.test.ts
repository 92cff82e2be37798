import { isHeldToHabits, SAMPLES } from "./samples";
import { conforms } from "./support/conforms";

const OBSERVED = Object.entries(SAMPLES).filter(([type]) => isHeldToHabits(type));

describe.each(OBSERVED)("%s, with the habits of the live platform", (type, sample) =>
  conforms(type, sample, "observed"),
);
