import { changesToApprove } from "../../../src/cli/approval/changes";
import type { AccessPlace, Plan, ResourceChange } from "../../../src/engine";

const change = (name: string) => ({
  address: `steward_protected_environment.${name}`,
  ...{ mode: "managed", type: "steward_protected_environment", name, action: "create", attributes: {} },
  ...{ provider: name, before: null, after: { name: "production" }, beforeSensitive: [], afterSensitive: [] },
  replacePaths: [],
  container: { kind: "project", name: "acme/web" },
});

const place = (service: string | undefined, user: string): AccessPlace => ({
  container: { kind: "project", name: "acme/web" },
  target: { kind: "environment", name: "production" },
  abilities: [{ name: "deploy", before: [], after: [], gains: [{ kind: "user", name: user }], loses: [] }],
  ...{ rules: [], notCounted: [] },
  ...(service !== undefined && { service }),
});

const approved = (...places: readonly AccessPlace[]) =>
  changesToApprove(
    {
      drift: [],
      changes: [change("one"), change("two")] as unknown as ResourceChange[],
      access: { places, notCounted: [] },
    } as unknown as Plan,
    { stack: undefined, serviceOf: ({ provider }) => provider },
  ).map(({ access }) => access);

test("if projects on two services have the same path, the approval lists each access change under the correct project", () => {
  expect(approved(place("one", "ada"), place("two", "ben"))).toEqual([
    ["environment production: +1 can deploy (ada)"],
    ["environment production: +1 can deploy (ben)"],
  ]);
});

test("if the access report contains no service, the approval matches access changes to projects by path", () => {
  const [ada] = approved(place(undefined, "ada"));
  expect(ada).toEqual(["environment production: +1 can deploy (ada)"]);
});
