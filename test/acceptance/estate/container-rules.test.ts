import { useRules } from "./container-rules";

const { stack } = useRules();

test("a no-change plan of more container rules than a page of other lists holds is one request", async () => {
  expect(await stack().requestsOfEmptyPlan()).toBe(1);
});
