import exemptions from "../conformance-exemptions.json";

/** What one resource is left out of in the conformance suites, and why; `exemptions-reporter.js` prints them all. */
interface Exemption {
  readonly of: string;
  readonly test: string;
  readonly reason: string;
}

export const EXEMPTIONS: readonly Exemption[] = exemptions;

/** Whether a resource is left out of a test. */
export const isExempt = (type: string, test: string): boolean =>
  EXEMPTIONS.some((exemption) => exemption.of === type && exemption.test === test);
