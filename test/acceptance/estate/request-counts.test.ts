import { type Service, startService } from "cdktf-provider-steward/testing";
import {
  CASES,
  COUNTS,
  declared,
  EMBEDDED,
  entriesOfTwo,
  fixture,
  lookUps,
  MANY,
} from "./request-count-cases";
import { EstateStack } from "./support";

let service: Service;
beforeAll(async () => {
  service = await startService({ fixture, recordRequests: true });
});
afterAll(() => service.close());

describe("a no-change plan of the embedded engine", () => {
  test.each(Object.entries(CASES))("%s", async (type, { requests, counts = COUNTS }) => {
    const stack = new EstateStack(service);
    try {
      for (const count of counts) {
        stack.declare(declared(type, count, EMBEDDED));
        await stack.apply();
        expect({ count, requests: await stack.requestsOfEmptyPlan() }).toEqual({
          count,
          requests: requests(count),
        });
      }
    } finally {
      stack.remove();
    }
  });

  test("projects that are named by path are looked up by the pages of their group, however often they are named", async () => {
    const stack = new EstateStack(service);
    stack.declare(entriesOfTwo(MANY - 2));
    service.requests.reset();
    await stack.plan();
    // 32 paths of a group whose projects are on two pages.
    expect(lookUps(service)).toEqual(
      [1, 2].map((page) => expect.stringMatching(`/groups/acme/projects.*&page=${page}$`)),
    );
    stack.remove();
  });
});
