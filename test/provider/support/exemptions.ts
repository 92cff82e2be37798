import { SAMPLES } from "../samples";

/** Whether a resource is left out of a test; the reporter prints all reasons. */
export const isExempt = (type: string, test: string): boolean => SAMPLES[type]?.exempt?.[test] !== undefined;
