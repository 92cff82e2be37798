import { type Plan, withDiagnostics, withoutRequests } from "../../../src/engine";

test("a plan without its requests and with other diagnostics creates the changes of unchanged objects only on first use", () => {
  let created = 0;
  const plan = {
    get changes() {
      created += 1;
      return [];
    },
    requests: [],
    diagnostics: [],
  } as unknown as Plan;
  const shown = withDiagnostics(withoutRequests(plan), [
    { severity: "warning", code: "internal_error", summary: "", detail: "" },
  ]);
  expect(shown.requests).toBeUndefined();
  expect(shown.diagnostics).toHaveLength(1);
  expect(created).toBe(0);
  expect(shown.changes).toEqual([]);
  expect(created).toBe(1);
});
