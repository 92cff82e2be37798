import * as fc from "fast-check";
import { type ApiError, createClient } from "../../src/api";
import { type Behaviour, cut, empty, json, startFaultServer } from "../api/support/fault-server";
import { runs } from "../support/capabilities";

fc.configureGlobal({ numRuns: runs(60, 1000) });

/** The faults of a request: the behaviour of the service, and whether it executed the request. */
const FAULTS: Readonly<Record<string, { readonly isDone: boolean; readonly answer: Behaviour }>> = {
  "refused by a rate limit": { isDone: false, answer: json(429, {}, { "retry-after": "0" }) },
  "refused by a service that is closed": { isDone: false, answer: json(503, {}) },
  "refused as invalid": { isDone: false, answer: json(400, { error: "name is missing" }) },
  "received, connection cut before it was executed": { isDone: false, answer: cut },
  "executed, connection cut before the response": { isDone: true, answer: cut },
  "executed, and a gateway timed out": { isDone: true, answer: json(504, {}) },
  "partly executed": { isDone: true, answer: json(500, {}) },
  "done without a body": { isDone: true, answer: empty(204) },
  done: { isDone: true, answer: json(201, { source_project_id: 1, target_group_id: 2 }) },
};

const fate = fc.array(fc.constantFrom(...Object.keys(FAULTS)), { minLength: 1, maxLength: 6 });

/**
 * Makes one call against a service whose responses have these faults, in order. Counts how often the service executed the
 * call.
 */
async function meet(
  fates: readonly string[],
  call: (client: ReturnType<typeof createClient>) => Promise<unknown>,
) {
  let done = 0;
  const behaviours = [...fates, "refused as invalid"].map((name): Behaviour => {
    const { isDone, answer } = FAULTS[name]!;
    return (request, response) => {
      if (isDone) done += 1;
      answer(request, response);
    };
  });
  const server = await startFaultServer(...(behaviours as [Behaviour, ...Behaviour[]]));
  const client = createClient({ baseUrl: server.baseUrl, token: "t", env: {}, retryDelay: 0.0001 });
  try {
    const error = await call(client).then(
      () => undefined,
      (thrown: unknown) => thrown as ApiError,
    );
    return { done, error };
  } finally {
    await server.close();
  }
}

test("the service executes a change at most once, even if responses are lost", async () => {
  await fc.assert(
    fc.asyncProperty(fate, async (fates) => {
      const { done, error } = await meet(fates, (client) => client.jobTokenScope.addGroup(1, 2));
      expect(done).toBeLessThanOrEqual(1);
      if (error === undefined) expect(done).toBe(1);
      else expect(error).toMatchObject({ mayHaveBeenDone: done === 1 ? true : expect.any(Boolean) });
    }),
  );
});

test("a repeatable request succeeds after rate limits, 503 responses and cut connections", async () => {
  const faults = [
    "refused by a rate limit",
    "refused by a service that is closed",
    "executed, connection cut before the response",
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...faults), { maxLength: 4 }), async (fates) => {
      const { error } = await meet([...fates, "done without a body"], (client) => client.pages.unpublish(1));
      expect(error).toBeUndefined();
    }),
  );
});
