import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { odd } from "../../adopt/groups/odd";
import { TOKENS as PEOPLE_TOKENS } from "../../adopt/groups/people";
import { platform } from "../../adopt/groups/platform";
import { webShop } from "../../adopt/groups/web-shop";
import { runs } from "../../support/capabilities";
import { events, filesIn, open, place, shop, writes } from "../support/adopted-place";
import { TOKENS } from "../support/place";

jest.setTimeout(120_000);

afterEach(() => place.close());

const reader = { STEWARD_TOKEN: PEOPLE_TOKENS.reader };

// The law of test/adopt/typescript adopts the platform as well.
const GROUPS = [
  ["web-shop", "shop", webShop],
  ["odd", "odd", odd],
] as const;
const MORE_GROUPS = [...GROUPS, ["platform", "platform", platform]] as const;

describe.each(runs<readonly (typeof MORE_GROUPS)[number][]>(GROUPS, MORE_GROUPS))(
  "the group %s as JSON",
  (_, group, fixture) => {
    test("an adopted group is planned as imports alone, applied without a write, and adopted again without a change", async () => {
      await open(fixture);
      const adopt = ["adopt", group, "--include-subgroups", "--out", "infra", "--format", "json"];
      expect(await place.run(adopt, reader)).toMatchObject({ code: 0, err: "" });
      const { resource } = JSON.parse(place.read("infra/main.tf.json"));
      const count = Object.values<object>(resource).flatMap(Object.keys).length;
      const planned = await place.run(["plan", "--config", "infra"], reader);
      expect(planned).toMatchObject({ code: 0, err: "" });
      expect(planned.out).toContain(`Plan: ${count} to import, 0 to add, 0 to change, 0 to destroy.`);
      const applied = await place.run(["apply", "--auto-approve", "--config", "infra"], reader);
      expect(applied).toMatchObject({ code: 0, err: "" });
      expect((await place.run(["plan", "--detailed-exitcode", "--config", "infra"], reader)).code).toBe(0);
      const drift = await place.run(["drift", "--coverage", "--config", "infra"], reader);
      expect({ code: drift.code, out: drift.out }).toMatchObject({ code: 0 });
      const before = filesIn("infra");
      expect(JSON.stringify(before)).not.toContain(PEOPLE_TOKENS.reader);
      const again = await place.run(adopt, reader);
      expect(again).toMatchObject({ code: 0, err: "" });
      expect(again.out).toContain(": no file changed.");
      expect(filesIn("infra")).toEqual(before);
      expect(writes()).toEqual([]);
    });
  },
);

describe("the summary", () => {
  beforeEach(() => open(shop));

  test("counts what is declared, and names what is not", async () => {
    const { code, out, err } = await place.run(["adopt", "acme", "--out", "infra", "--format", "hcl"]);
    expect(code).toBe(0);
    expect(out).toBe(
      [
        "",
        "Adopted 4 objects of 2 projects and 1 group into infra.",
        "",
        "  main.tf: written",
        "  emails.auto.tfvars.json: written",
        "  .gitignore: written",
        "",
        "Not declared:",
        "  project acme/old: it is archived",
        "  group acme: all objects of type steward_group_invitation: this token may not list them",
        "",
        "Next: cd infra && steward exec -- terraform plan",
        "",
      ].join("\n"),
    );
    expect(err).toContain("Warning: Settings are not readable");
    expect(err).not.toContain("Error");
  });

  test("as JSON has an event for each file and note, and the result last", async () => {
    const { code, out } = await place.run(["adopt", "acme", "--out", "infra", "--format", "json", "--json"]);
    expect(code).toBe(0);
    const all = events(out);
    expect(all.map(({ type }) => type)).toEqual([
      "version",
      "diagnostic",
      "adopt_file",
      "adopt_file",
      "adopt_file",
      "adopt_skipped",
      "adopt_not_declared",
      "adopt_summary",
    ]);
    expect(all.at(-1)).toMatchObject({
      adoption: {
        folder: "infra",
        format: "json",
        projects: 2,
        groups: 1,
        objects: 4,
        skipped: 1,
        not_declared: 1,
        files_written: 3,
      },
    });
    expect(all.find(({ type }) => type === "adopt_skipped")).toMatchObject({
      container: { kind: "project", path: "acme/old" },
      reason: "it is archived",
    });
  });

  test("an Owner's token reads the invitations of the group too", async () => {
    const owner = { STEWARD_TOKEN: TOKENS.developer };
    const { code, err } = await place.run(["adopt", "acme", "--out", "infra", "--format", "hcl"], owner);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(place.read("infra/main.tf")).toContain('resource "steward_group_invitation" "acme_invitee_1"');
  });
});

describe("a reason that is the same for several containers", () => {
  const groups = ["acme", ...["a", "b", "c", "d", "e", "f", "team"].map((name) => `acme/${name}`)];
  const FOLDED =
    "groups acme, acme/a, acme/b, acme/c, acme/d and 3 more: all objects of type steward_group_invitation: " +
    "this token may not list them";
  const adopt = ["adopt", "acme", "--include-subgroups", "--out", "infra"];
  beforeEach(() =>
    open({
      ...shop,
      groups: [...shop.groups!, ...groups.slice(1, -1).map((path) => ({ path }))],
      projects: [...shop.projects!, { path: "acme/older", archived: true }],
    }),
  );

  test("a reason of several containers is one warning and one line of the summary, which name the containers", async () => {
    const { code, out, err } = await place.run([...adopt, "--format", "hcl"]);
    expect(code).toBe(0);
    expect(err.match(/Settings are not readable/g)).toHaveLength(1);
    expect(err).toContain(
      "Objects of type steward_group_invitation in the groups acme, acme/a, acme/b, acme/c, acme/d and 3 more are not declared",
    );
    expect(out.split("Not declared:\n")[1]!.split("\n\n")[0]!.split("\n")).toEqual([
      "  projects acme/old and acme/older: they are archived",
      `  ${FOLDED}`,
    ]);
  });

  test.each([
    ["ts", "main.ts", `// - ${FOLDED.slice(0, 60)}`],
    ["hcl", "main.tf", `# ${FOLDED.replace("more:", "more: Not declared:")}.`],
    ["json", "main.tf.json", `"${FOLDED.replace("more:", "more: Not declared:")}."`],
  ])("a reason of several containers is one comment in the format %s", async (format, file, comment) => {
    await place.run([...adopt, "--format", format]);
    const text = place.read(`infra/${file}`);
    expect(text).toContain(comment);
    expect(text.match(/steward_group_invitation:/g)).toHaveLength(1);
  });

  test("a reason of several containers is one diagnostic as JSON, with an event for each container", async () => {
    const all = events((await place.run([...adopt, "--format", "json", "--json"])).out);
    expect(all.filter(({ type }) => type === "diagnostic")).toHaveLength(1);
    expect(all.filter(({ type }) => type === "adopt_not_declared").map(({ container }) => container)).toEqual(
      groups.map((path) => ({ kind: "group", path })),
    );
  });
});

describe("the selection", () => {
  beforeEach(() => open(shop));

  const projectsOf = async (...args: string[]): Promise<string[]> => {
    rmSync(path.join(place.folder, "infra"), { recursive: true, force: true });
    const line = ["adopt", ...args, "--out", "infra", "--format", "json", "--all-settings"];
    expect((await place.run(line)).code).toBe(0);
    const { resource } = JSON.parse(place.read("infra/main.tf.json"));
    const scopes = Object.values<{ project: string }>(resource.steward_job_token_scope);
    return scopes.map(({ project }) => project);
  };

  test("containers are selected by name, by group, with subgroups, by topic and by text", async () => {
    expect(await projectsOf("acme/shop")).toEqual(["acme/shop"]);
    expect(await projectsOf("acme")).toEqual(["acme/plain", "acme/shop"]);
    expect(await projectsOf("acme", "--include-subgroups")).toEqual([
      "acme/plain",
      "acme/shop",
      "acme/team/tool",
    ]);
    expect(await projectsOf("--all", "--topic", "payments")).toEqual(["acme/plain"]);
    expect(await projectsOf("--all", "--search", "shop")).toEqual(["acme/shop"]);
    expect(await projectsOf("--all")).toEqual(["acme/plain", "acme/shop", "acme/team/tool"]);
  });

  test("--all-settings declares what is at the service's default too", async () => {
    await place.run(["adopt", "acme/plain", "--out", "few", "--format", "json"]);
    // Who may use a project's job token is declared in any case.
    expect(JSON.parse(place.read("few/main.tf.json")).resource).toEqual({
      steward_job_token_scope: { acme_plain: { inbound_enabled: true, project: "acme/plain" } },
    });
    await place.run(["adopt", "acme/plain", "--out", "all", "--format", "json", "--all-settings"]);
    expect(JSON.parse(place.read("all/main.tf.json")).resource).toEqual({
      steward_job_token_allowlist: {
        acme_plain: { project: "acme/plain", target_projects: [], target_groups: [] },
      },
      steward_job_token_scope: { acme_plain: { project: "acme/plain", inbound_enabled: true } },
      steward_pages_settings: {
        acme_plain: {
          project: "acme/plain",
          unique_domain_enabled: false,
          force_https: true,
          primary_domain: "",
        },
      },
    });
    const planned = await place.run(["plan", "--config", "all"]);
    expect(planned.out).toContain("Plan: 3 to import, 0 to add, 0 to change, 0 to destroy.");
  });
});

test("a stopped adoption writes nothing", async () => {
  await open(shop);
  const begun = place.begin(["adopt", "acme", "--out", "infra", "--format", "hcl"], { STEWARD_LOG: "debug" });
  await begun.wrote("GET /groups/acme");
  begun.interrupt();
  expect((await begun.ended).code).toBe(1);
  expect(existsSync(path.join(place.folder, "infra"))).toBe(false);
});
