import type { Example } from "../../src/provider/samples/sample";
import type { Subject } from "./naming";
import { findSample, sampleOf } from "./samples";

export type { Example };

const PROVIDER: Example = { id: "steward", config: { base_url: "https://steward.example.com" } };

/** Returns the example that the page of a type shows. */
export const exampleOf = (subject: Subject, type: string): Example =>
  subject === "provider" ? PROVIDER : sampleOf(subject, type).example;

/** Returns the example of a type. Undefined if the type has no sample. */
export const findExample = (subject: Subject, type: string): Example | undefined =>
  subject === "provider" ? PROVIDER : findSample(subject, type)?.example;
