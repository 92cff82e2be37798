import fc from "fast-check";
import { accessEntries, basisEntries, mergeAccess, mergeRights } from "../../../src/cli/document/access";
import { accessTotals } from "../../../src/cli/document/access-entry";
import { PLAIN } from "../../../src/cli/terminal/text";
import { renderAccess } from "../../../src/cli/views/access";
import type { AccessPlace, AccessReport } from "../../../src/engine";
import { seed } from "../../support/capabilities";

const user = (name: string) => ({ kind: "user", name });
const place = (name: string, gains: readonly string[], target?: string): AccessPlace => ({
  container: { kind: "project", name },
  ...(target !== undefined && { target: { kind: "environment", name: target } }),
  abilities: [{ name: "deploy", before: [], after: gains.map(user), gains: gains.map(user), loses: [] }],
  rules: [],
  notCounted: [],
});
const report = (...places: readonly AccessPlace[]): AccessReport => ({ places, notCounted: [] });
/** Returns the access changes of a run over these stacks. */
const mergedRun = (all: readonly { readonly stack: string; readonly access: AccessReport }[]) =>
  mergeAccess(
    all.flatMap(({ stack, access }) => accessEntries(access, stack)),
    all.flatMap(({ stack, access: { touched = [] } }) => basisEntries(touched, stack)),
  );

describe("the access changes of several stacks", () => {
  test("if two stacks change access to different projects, the merged report contains the total of both", () => {
    const merged = mergedRun([
      { stack: "a", access: report(place("acme/a", ["ada"], "production")) },
      { stack: "b", access: report(place("acme/b", ["ada", "ben"], "production")) },
    ]);
    expect(accessTotals(merged)).toBe("+3 can deploy");
    expect(merged.map(({ stack, project, gains }) => [stack, project, gains["deploy"]])).toEqual([
      ["a", "acme/a", ["ada"]],
      ["b", "acme/b", ["ada", "ben"]],
    ]);
  });

  test("if two stacks change access to one environment, the merged report contains no total of access changes", () => {
    const merged = mergedRun([
      { stack: "a", access: report(place("acme/a", ["ben", "ada"], "production")) },
      { stack: "b", access: report(place("acme/a", ["ben"], "production")) },
    ]);
    expect(accessTotals(merged)).toBeUndefined();
    expect(merged).toEqual([
      {
        stacks: ["a", "b"],
        project: "acme/a",
        environment: "production",
        gains: { deploy: ["ada", "ben"], approve: [] },
        loses: { deploy: [], approve: [] },
        rules: [],
        not_counted: [
          { what: "the joint effect of the stacks a, b", why: "each stack is compared on its own" },
        ],
        text: "environment production: + can deploy (ada, ben)",
      },
    ]);
  });

  test("if another stack changes a group with access to an environment, the report does not count the environment's access changes", () => {
    const rel = { kind: "group", name: "acme/rel" };
    const any = { kind: "group", name: "*" };
    const of = (group: string, service = "https://one.example/api/v4", behind = rel) =>
      mergedRun([
        {
          stack: "a",
          access: { ...report(), touched: [{ kind: "group", name: group, service }] },
        },
        {
          stack: "b",
          access: {
            ...report({ ...place("web/shop", ["ada"], "production"), service: "https://one.example/api/v4" }),
            touched: [
              {
                kind: "project",
                name: "web/shop",
                dependsOn: [behind],
                service: "https://one.example/api/v4",
              },
            ],
          },
        },
      ]);
    const joint = [{ what: "the joint effect of the stacks a, b", why: "each stack is compared on its own" }];
    for (const group of ["acme/rel", "acme"]) expect(of(group)).toMatchObject([{ not_counted: joint }]);
    for (const group of ["acme/other", "acme/rel/below", "rel"])
      expect(of(group)).toMatchObject([{ not_counted: [] }]);
    expect(of("acme/rel", "https://two.example/api/v4")).toMatchObject([{ not_counted: [] }]);
    // If a plan could not read the list of groups with access, the plan may affect any group of the service.
    expect(of("acme/other", undefined, any)).toMatchObject([{ not_counted: joint }]);
    expect(of("acme/other", "https://two.example/api/v4", any)).toMatchObject([{ not_counted: [] }]);
  });

  test("if projects on two services have the same path, the report prints each project's service next to its path", () => {
    const on = (service: string, name: string): AccessPlace => ({
      ...place("acme/a", [name], "production"),
      service: `https://${service}.example/api/v4`,
    });
    const merged = mergedRun([
      { stack: "a", access: report(on("one", "ada")) },
      { stack: "b", access: report(on("two", "ben")) },
    ]);
    expect(merged).toMatchObject([
      { stack: "a", service: "https://one.example", gains: { deploy: ["ada"] }, not_counted: [] },
      { stack: "b", service: "https://two.example", gains: { deploy: ["ben"] }, not_counted: [] },
    ]);
    const lines = renderAccess(merged, PLAIN);
    expect(lines).toContain('  project acme/a on "https://one.example" (loosens)');
    expect(lines).toContain('  project acme/a on "https://two.example" (loosens)');
    const [only] = mergedRun([{ stack: "a", access: report(on("one", "ada")) }]);
    expect(only).not.toHaveProperty("service");
  });

  test("if two stacks change an environment and the members of one project, the report counts neither access change", () => {
    const merged = mergedRun([
      { stack: "a", access: report(place("acme/a", ["ada"], "production")) },
      { stack: "b", access: report(place("acme/a", ["nina"])) },
    ]);
    expect(merged.map(({ text, not_counted }) => [text, not_counted.length])).toEqual([
      ["environment production: + can deploy (ada)", 1],
      ["+ can deploy (nina)", 1],
    ]);
  });

  test("if another stack changes any setting of a project, the report does not count the project's access changes", () => {
    const touched = [{ kind: "project", name: "acme/a" }];
    const merged = mergedRun([
      { stack: "a", access: report(place("acme/a", ["nina"])) },
      { stack: "b", access: { ...report(), touched } },
    ]);
    expect(accessTotals(merged)).toBeUndefined();
    expect(merged).toMatchObject([
      { stack: "a", not_counted: [{ what: "the joint effect of the stacks a, b" }] },
    ]);
  });

  test("if another stack invites people to a project's group, the report does not count the project's access changes", () => {
    const members = { ...place("acme", ["nina"]), container: { kind: "group", name: "acme" } };
    const merged = mergedRun([
      { stack: "a", access: report(members) },
      { stack: "b", access: report(place("acme/a", ["ada"], "production"), place("lib/b", ["ada"], "live")) },
    ]);
    expect(merged.map(({ text, not_counted }) => [text, not_counted.length])).toEqual([
      ["+1 can deploy (nina)", 0],
      ["environment production: + can deploy (ada)", 1],
      ["environment live: +1 can deploy (ada)", 0],
    ]);
  });

  test("if two stacks' access changes can't be counted for the same reason, the merged report contains the reason once", () => {
    const why = { what: "group secret", why: "the token can't see it" };
    const merged = mergedRun(
      ["a", "b"].map((stack) => ({ stack, access: { places: [], notCounted: [why] } })),
    );
    expect(merged).toEqual([
      { stacks: ["a", "b"], gains: {}, loses: {}, rules: [], not_counted: [why], text: "" },
    ]);
  });
});

test("merging the access reports of two jobs gives the same result as one report about all stacks", () => {
  const some = fc.array(
    fc.tuple(
      fc.constantFrom("acme", "acme/a", "acme/b", "lib"),
      fc.uniqueArray(fc.constantFrom("ada", "ben", "nina")),
      fc.constantFrom("production", undefined),
    ),
    { maxLength: 3 },
  );
  const jobOf = (stack: string) =>
    some.map((places) => accessEntries(report(...places.map((one) => place(...one))), stack));
  fc.assert(
    fc.property(jobOf("a"), jobOf("b"), jobOf("c"), (a, b, c) => {
      const joined = mergeAccess([...mergeAccess([...a, ...b]), ...mergeAccess(c)]);
      const byText = (all: typeof joined) => all.map((one) => JSON.stringify(one)).sort();
      expect(byText(joined)).toEqual(byText(mergeAccess([...a, ...b, ...c])));
    }),
    { seed },
  );
});

test("if two stacks need the same permission, the report lists the permission once, with both stacks' names", () => {
  const right = (place: object) => ({ role: "Maintainer", ...place, has: true });
  const merged = mergeRights(
    ["a", "b"].flatMap((stack) => [
      { stack, scope: "api", has: true },
      { stack, ...right({ project: `acme/${stack}` }) },
    ]),
  );
  expect(merged).toEqual([
    { stacks: ["a", "b"], scope: "api", has: true },
    { stack: "a", ...right({ project: "acme/a" }) },
    { stack: "b", ...right({ project: "acme/b" }) },
  ]);
});
