// Measures the minimum cost of a run: the cost of `bare-process.js` with the pages that the run reads.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { type Measured, measureNode } from "./command";
import type { ServiceProcess } from "./service-process";

const PROGRAM = path.join(__dirname, "bare-process.js");

export interface FloorOptions {
  /** The path of the job file to write, in a folder of the caller. */
  readonly job: string;
  /** The path and query of each page, in the order of the requests. An element with a body is sent as a POST. */
  readonly pages: readonly (string | { readonly path: string; readonly body: object })[];
  /** The JSON files that the run reads. */
  readonly inputs?: readonly string[];
  /** The parts of a plan that the process also does. `least-work.js` has their names. */
  readonly parts?: readonly string[];
  /** The path of each file to write, with the path of a file that has its content. */
  readonly outputs?: Readonly<Record<string, string>>;
}

/** Writes the job file. The returned function runs the bare process once, and measures it. */
export function floorOf(service: ServiceProcess, { job, ...work }: FloorOptions): () => Promise<Measured> {
  writeFileSync(job, JSON.stringify({ origin: service.url, token: service.token, ...work }));
  return () => measureNode([PROGRAM, job], process.env);
}
