import { type Code, expression, list, object, text } from "../../../src/adopt/typescript/code";
import { Names } from "../../../src/adopt/typescript/names";
import { shareRepeated } from "../../../src/adopt/typescript/share";

const level = (name: string) => object([["accessLevel", expression(`AccessLevel.${name}`)]]);
const user = (name: string) => object([["user", text(name)]]);
const group = (path: string, requiredApprovals?: number) =>
  object([
    ["group", text(path)],
    ...(requiredApprovals === undefined
      ? []
      : [["requiredApprovals", expression(String(requiredApprovals))] as const]),
  ]);
const environment = (deploy: readonly Code[], rules: readonly Code[] = []) =>
  object([
    ["deployAccessLevels", list(deploy)],
    ["approvalRules", list(rules)],
  ]);
/** Returns the settings of a project that has only an environment `production`. */
const production = (settings: Code) =>
  object([["protectedEnvironments", object([[text("production"), settings]])]]);
const allowlist = (...paths: string[]) =>
  object([
    [
      "allowlist",
      object([
        ["targetProjects", list(paths.map((path) => text(path)))],
        ["targetGroups", list([])],
      ]),
    ],
  ]);
const times = (count: number, code: Code): Code[] => Array<Code>(count).fill(code);
/** Returns the names of the constants for one option, in the order in which the source declares them. */
const namesOf = (roots: readonly Code[], pattern: RegExp, taken: readonly string[] = []) =>
  shareRepeated(roots, new Names(taken))
    .constants.map(({ name }) => name)
    .filter((name) => pattern.test(name));

it("if projects share only one variant of an environment, the shared constant has the environment's name", () => {
  expect(namesOf(times(3, production(environment([level("MAINTAINER")]))), /^PRODUCTION/)).toEqual([
    "PRODUCTION_ENVIRONMENT",
  ]);
});

it("if two shared environments differ only in their approvers, the constants are named after the approvers", () => {
  const roots = ["acme/security", "acme/release-team"].flatMap((path) =>
    times(3, production(environment([level("MAINTAINER")], [group(path, 2)]))),
  );
  expect(namesOf(roots, /^PRODUCTION/)).toEqual([
    "PRODUCTION_APPROVED_BY_2_OF_SECURITY",
    "PRODUCTION_APPROVED_BY_2_OF_RELEASE_TEAM",
  ]);
});

it("if several constants would have the same name, all except the most used one get a number", () => {
  const odd = (name: string) =>
    object([
      ["group", text("a")],
      [name, expression("true")],
    ]);
  const settings = (name: string) => production(environment([odd(name)], [odd(name)]));
  const roots = [...times(3, settings("x")), ...times(3, settings("longer")), ...times(5, settings("y"))];
  expect(namesOf(roots, /^PRODUCTION/)).toEqual([
    "PRODUCTION_ENVIRONMENT",
    "PRODUCTION_ENVIRONMENT_2",
    "PRODUCTION_ENVIRONMENT_3",
  ]);
  const named = roots.map(shareRepeated(roots, new Names()).replace);
  expect(JSON.stringify(named.at(-1))).toContain('"PRODUCTION_ENVIRONMENT"');
  expect(JSON.stringify(named[3])).toContain('"PRODUCTION_ENVIRONMENT_3"');
});

it("a shared allowlist with three entries is named SHARED_ALLOWLIST if no other allowlist is shared", () => {
  expect(namesOf(times(3, allowlist("a/one", "a/two")), /ALLOWLIST/)).toEqual(["ALLOWLIST_OF_ONE_AND_TWO"]);
  const many = times(3, allowlist("a/one", "a/two", "a/three"));
  expect(namesOf(many, /ALLOWLIST/)).toEqual(["SHARED_ALLOWLIST"]);
  expect(namesOf([...many, ...times(3, allowlist("a/two", "a/three", "a/four"))], /ALLOWLIST/)).toEqual([
    "ALLOWLIST_OF_ONE_AND_2_OTHERS",
    "ALLOWLIST_OF_TWO_AND_2_OTHERS",
  ]);
});

it("a project path does not become a constant, even if five projects use this path", () => {
  const roots = times(5, object([["x", text("acme/tools")]]));
  const { constants, replace } = shareRepeated(roots, new Names());
  expect([constants, roots.map(replace)]).toEqual([[], roots]);
});

it("a constant is declared after the other constants that its value uses", () => {
  const roots = times(3, production(environment([user("a"), user("b")], [group("acme/team", 2)])));
  const { constants } = shareRepeated(roots, new Names(["PRODUCTION_ENVIRONMENT"]));
  const seen = new Set<string>();
  for (const { name, value } of constants) {
    const named = constants.filter((other) => JSON.stringify(value).includes(`"text":"${other.name}"`));
    expect(named.every((other) => seen.has(other.name))).toBe(true);
    seen.add(name);
  }
  expect(constants.at(-1)!.name).toBe("PRODUCTION_BY_A_AND_B");
});
