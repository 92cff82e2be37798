// The minimum of a run: the cost of `bare-process.js` for the pages that the run reads.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { type Measured, measureNode } from "./command";
import type { ServiceProcess } from "./service-process";

const PROGRAM = path.join(__dirname, "bare-process.js");

export interface FloorOptions {
  /** The file for the job, in a folder of the caller's. */
  readonly job: string;
  /** Path and query of each page, in the order of the requests; with a body, the request that sends it. */
  readonly pages: readonly (string | { readonly path: string; readonly body: object })[];
  /** Files of JSON that the run reads. */
  readonly inputs?: readonly string[];
  /** The further parts of a plan, by the names of `least-work.js`. */
  readonly parts?: readonly string[];
  /** Files to write, each with the file that has its content. */
  readonly outputs?: Readonly<Record<string, string>>;
}

/** Prepares the minimum of a run; each call of the result measures it once. */
export function floorOf(service: ServiceProcess, { job, ...work }: FloorOptions): () => Promise<Measured> {
  writeFileSync(job, JSON.stringify({ origin: service.url, token: service.token, ...work }));
  return () => measureNode([PROGRAM, job], process.env);
}
