import { z } from "zod";

/** A fault, and the requests that the fault affects. */
export const faultSchema = z.strictObject({
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).optional().describe("Default: every method."),
  route: z.string().optional().describe("Endpoint, such as `/projects/:id/pages`. Default: every endpoint."),
  skip: z.int().min(0).default(0).describe("Matching requests that pass before the first one is affected."),
  times: z.int().min(1).optional().describe("Requests that are affected. Default: 1, or all with `always`."),
  always: z.boolean().default(false),
  delay: z.number().min(0).default(0).describe("Milliseconds to wait before anything else."),
  status: z.int().min(400).max(599).optional().describe("Error status to answer with."),
  retry_after: z.int().min(0).optional().describe("Seconds in the `Retry-After` header of that answer."),
  cut: z.boolean().default(false).describe("Closes the connection without a response."),
  after_work: z
    .boolean()
    .default(false)
    .describe("Processes the request first; the client does not see the result."),
});

/** A fault as a test writes it: optional fields may be omitted. */
export type FaultInput = z.input<typeof faultSchema>;
type Fault = z.output<typeof faultSchema>;

/** The faults that the service causes. Each request gets the oldest fault that matches. */
export class Faults {
  readonly #waiting: { readonly fault: Fault; skip: number; left: number }[] = [];

  /**
   * Adds a fault, such as `{ method: "POST", route: "/projects/:id/pages", status: 503 }`.
   * @throws ZodError for an invalid fault.
   */
  add(input: FaultInput): void {
    const fault = faultSchema.parse(input);
    const left = fault.always ? Number.POSITIVE_INFINITY : (fault.times ?? 1);
    this.#waiting.push({ fault, skip: fault.skip, left });
  }

  clear(): void {
    this.#waiting.length = 0;
  }

  /** Returns the fault for a request, if any, and reduces the fault's remaining number of uses by one. */
  take(method: string, route: string): Fault | undefined {
    for (const waiting of this.#waiting) {
      const { fault } = waiting;
      if (waiting.left === 0 || (fault.method ?? method) !== method || (fault.route ?? route) !== route)
        continue;
      if (waiting.skip > 0) {
        waiting.skip -= 1;
        continue;
      }
      waiting.left -= 1;
      return fault;
    }
    return undefined;
  }
}
