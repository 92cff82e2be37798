import type { Example } from "../../src/provider/samples/sample";
import type { Subject } from "./naming";
import { sampleOf } from "./samples";

export type { Example };

const PROVIDER: Example = { id: "steward", config: { base_url: "https://steward.example.com" } };

/** The declaration that the page of a type shows. */
export const exampleOf = (subject: Subject, type: string): Example =>
  subject === "provider" ? PROVIDER : sampleOf(subject, type).example;
