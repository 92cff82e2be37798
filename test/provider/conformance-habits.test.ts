import { isHeldToHabits, SAMPLES } from "./samples";
import { conforms } from "./support/conforms";

const OBSERVED = Object.entries(SAMPLES).filter(([type]) => isHeldToHabits(type));

describe.each(OBSERVED)("%s, on a service that behaves like the live platform", (type, sample) =>
  conforms(type, sample, "observed"),
);
