import { administrator } from "../endpoint/authorization";
import { type Endpoint, endpoint, inSection } from "../endpoint/endpoint";
import { type Faults, faultSchema } from "../endpoint/faults";

const section = "settled: faults on request, for tests";

/** Endpoints that inject faults, for tests that run the service as a process. Served only with `allowFaults`. */
export const faultEndpoints = (faults: Faults): readonly Endpoint[] =>
  inSection(section, [
    endpoint({
      method: "POST",
      path: "/_steward/faults",
      summary: "Inject a fault into future requests",
      access: administrator,
      input: faultSchema.shape,
      handle: ({ input }) => {
        faults.add(input);
        return undefined;
      },
    }),
    endpoint({
      method: "DELETE",
      path: "/_steward/faults",
      summary: "Remove all pending faults",
      access: administrator,
      handle: () => {
        faults.clear();
        return undefined;
      },
    }),
  ]);
