import { existsSync } from "node:fs";
import path from "node:path";
import { linkPackages } from "../support/own-project";
import { folderOf, Opened, SETS } from "./opened";

// The tests run apps that users of earlier releases wrote or adopted. These apps use the packages of this release, and the
// states of the earlier release.

const AUTO = "--auto-approve";
const having = (folder: string) => SETS.filter((set) => existsSync(folderOf(set, folder)));

let opened: Opened;
afterEach(() => opened.close());

/** Returns the addresses of all objects in a state. */
function held(state: string): readonly string[] {
  const { resources } = JSON.parse(opened.read(state)) as {
    readonly resources: readonly {
      readonly type: string;
      readonly name: string;
      readonly instances: readonly { readonly index_key?: string | number }[];
    }[];
  };
  return resources
    .flatMap(({ type, name, instances }) =>
      instances.map(({ index_key }) => `${type}.${name} ${String(index_key ?? "")}`),
    )
    .sort();
}

/** Expects that a plan has no changes, that an apply writes nothing, and that the states keep the same objects. */
async function expectUnchanged(
  below: string,
  states: readonly string[],
  options: readonly string[] = [],
): Promise<void> {
  const before = states.map((state) => held(path.join(below, state)));
  const { code, out, err } = await opened.steward(["plan", "--detailed-exitcode", ...options], below);
  expect({ code, text: code === 0 ? "" : `${out}${err}` }).toEqual({ code: 0, text: "" });
  await opened.succeed(["apply", AUTO, ...options], below);
  expect(states.map((state) => held(path.join(below, state)))).toEqual(before);
  expect(opened.service.requests.all.filter(({ method }) => method !== "GET")).toEqual([]);
}

describe.each(having("estate"))("the app of the release %s", (set) => {
  beforeEach(async () => {
    opened = await Opened.open(set, "estate");
    linkPackages(opened.folder);
    // Reverts the manual changes that the reports needed.
    const environments = (id: number) => `${opened.service.url}/api/v4/projects/${id}/protected_environments`;
    await opened.send("DELETE", `${environments(101)}/by-hand`, undefined);
    const production = { name: "production", deploy_access_levels: [{ access_level: 60 }] };
    await opened.send("POST", environments(102), JSON.stringify(production));
    opened.service.requests.reset();
  });

  test("for an old app with a fleet, this release plans only one change: the output with an invitation's id", async () => {
    // The e-mail address of the invitation has capital letters, but the id in the state of the earlier release has none.
    // This release changes the id. Another stack uses an output with this id, so this output changes too.
    const { code, out } = await opened.steward(["plan", "--detailed-exitcode"]);
    expect(code).toBe(2);
    expect(out).toContain('id = "112:lead@example.com" -> "112:Lead@Example.com"');
    expect(out).toContain("Only output values change");
    expect(out).toContain("No changes in 2 stacks: fleet, shop");
    await opened.succeed(["apply", AUTO]);
    await expectUnchanged(
      ".",
      ["fleet", "groups", "shop"].map((stack) => `terraform.${stack}.tfstate`),
    );
  });
});

describe.each(having("adopted"))("adopted apps of the release %s", (set) => {
  beforeEach(async () => {
    opened = await Opened.open(set, "adopted");
    linkPackages(opened.folder);
  });

  test("this release plans no change for a TypeScript app that the old release adopted", () =>
    expectUnchanged("app", ["terraform.app.tfstate"]));

  test("this release plans no change for a JSON configuration that the old release adopted", () =>
    expectUnchanged("json", ["terraform.tfstate"], ["--config", "."]));

  test("for an adopted app of the old release, adopt of this release adds only empty allowlists", async () => {
    const words = ["adopt", "acme/p1", "acme/p2", "--include-emails", "--out", "app"];
    const before = opened.read("app/main.ts");
    await opened.succeed(words);
    const second = opened.read("app/main.ts");
    expect(second.replaceAll(/^ *allowlist: \{ targetProjects: \[\], targetGroups: \[\] \},\n/gm, "")).toBe(
      before,
    );
    await opened.succeed(words);
    expect(opened.read("app/main.ts")).toBe(second);
  });
});
