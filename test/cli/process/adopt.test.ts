import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { FixtureInput } from "../../../src/service";
import { odd } from "../../adopt/groups/odd";
import { TOKENS as PEOPLE_TOKENS } from "../../adopt/groups/people";
import { platform } from "../../adopt/groups/platform";
import { webShop } from "../../adopt/groups/web-shop";
import { openPlace, type Place, TOKENS } from "../support/place";

jest.setTimeout(120_000);

let place: Place;
async function open(fixture?: FixtureInput): Promise<void> {
  place = await openPlace(fixture);
}
afterEach(() => place.close());

const reader = { STEWARD_TOKEN: PEOPLE_TOKENS.reader };
const writes = () => place.service.requests.all.filter(({ method }) => method !== "GET");
const events = (out: string): Record<string, unknown>[] =>
  out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
/** The texts of a folder's files, by name. */
const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(path.join(place.folder, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, readFileSync(path.join(place.folder, folder, name), "utf8")]),
  );

const shop: FixtureInput = {
  users: [
    {
      username: "maya",
      token: TOKENS.maintainer,
      tokens: [{ token: TOKENS.reader, name: "reader", scopes: ["read_api"] }],
    },
    { username: "owner", token: TOKENS.developer },
  ],
  groups: [
    {
      path: "acme",
      members: [
        { user: "maya", role: "maintainer" },
        { user: "owner", role: "owner" },
      ],
      invitations: [{ email: "new@example.com", role: "developer" }],
    },
    { path: "acme/team" },
  ],
  projects: [
    {
      path: "acme/shop",
      job_token_scope: { inbound_enabled: false },
      protected_environments: [{ name: "production", deploy_access_levels: [{ access_level: 40 }] }],
      invitations: [{ email: "ada@example.com", role: "guest" }],
    },
    { path: "acme/plain", topics: ["payments"] },
    { path: "acme/old", archived: true },
    { path: "acme/team/tool", job_token_scope: { inbound_enabled: false } },
  ],
};

describe.each([
  ["web-shop", "shop", webShop],
  ["platform", "platform", platform],
  ["odd", "odd", odd],
] as const)("the group %s as JSON", (_, group, fixture) => {
  test("is planned as imports alone, applied without a write, and adopted again without a change", async () => {
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
});

describe("the summary", () => {
  beforeEach(() => open(shop));

  test("counts what is declared, and names what is not", async () => {
    const { code, out, err } = await place.run(["adopt", "acme", "--out", "infra", "--format", "hcl"]);
    expect(code).toBe(0);
    expect(out).toBe(
      [
        "",
        "Adopted 3 objects of 2 projects and 1 group into infra.",
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
        objects: 3,
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

  test("is one warning and one line of the summary, which name the containers", async () => {
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
  ])("is one comment in the format %s", async (format, file, comment) => {
    await place.run([...adopt, "--format", format]);
    const text = place.read(`infra/${file}`);
    expect(text).toContain(comment);
    expect(text.match(/steward_group_invitation:/g)).toHaveLength(1);
  });

  test("is one diagnostic as JSON, with an event for each container", async () => {
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

  test("is by name, by group, with subgroups, by topic and by text", async () => {
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
    expect(JSON.parse(place.read("few/main.tf.json"))).not.toHaveProperty("resource");
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

describe("e-mail addresses", () => {
  beforeEach(() => open(shop));

  test("stand in a file of their owner alone that git ignores, and nowhere else", async () => {
    await place.run(["adopt", "acme/shop", "--out", "infra", "--format", "hcl"]);
    const { "emails.auto.tfvars.json": addresses, ...others } = filesIn("infra");
    expect(JSON.parse(addresses!)).toEqual({ emails: { "invitee-1": "ada@example.com" } });
    expect(Object.values(others).join("")).not.toContain("@");
    expect(others[".gitignore"]!.split("\n")).toContain("emails.auto.tfvars.json");
    expect(statSync(path.join(place.folder, "infra/emails.auto.tfvars.json")).mode & 0o077).toBe(0);
  });

  test("keep their names when others are invited before them", async () => {
    const adopt = ["adopt", "acme/shop", "--out", "infra", "--format", "json"];
    await place.run(adopt);
    expect(
      await place.byHand("POST", "/projects/1/invitations", { email: "aaa@example.com", access_level: 10 }),
    ).toBe(201);
    expect((await place.run(adopt)).code).toBe(0);
    expect(JSON.parse(place.read("infra/emails.auto.tfvars.json"))).toEqual({
      emails: { "invitee-1": "ada@example.com", "invitee-2": "aaa@example.com" },
    });
  });

  test("stand in the code with --include-emails", async () => {
    await place.run(["adopt", "acme/shop", "--out", "infra", "--format", "json", "--include-emails"]);
    expect(filesIn("infra")).not.toHaveProperty(["emails.auto.tfvars.json"]);
    expect(place.read("infra/main.tf.json")).toContain('"email": "ada@example.com"');
    const planned = await place.run(["plan", "--config", "infra"]);
    expect(planned.out).toContain("Plan: 3 to import, 0 to add, 0 to change, 0 to destroy.");
  });
});

describe("a refusal writes nothing", () => {
  beforeEach(() => open(shop));

  test.each([
    [["adopt", "acme"], "invalid_arguments", "--out DIR"],
    [["adopt", "--out", "infra"], "invalid_arguments", "--all"],
    [["adopt", "acme", "--topic", "x", "--out", "infra"], "invalid_arguments", "--topic requires --all"],
    [["adopt", "acme", "--all", "--out", "infra"], "invalid_arguments", "--all and names (acme)"],
    [["adopt", "--all", "--topic", "none", "--out", "infra"], "nothing_to_adopt", "--topic"],
    [["adopt", "acme", "acme/nothing", "--out", "infra"], "reference_not_found", '"acme/nothing"'],
    [["adopt", "acme", "--out", "infra", "--format", "yaml"], "invalid_arguments", "yaml"],
  ])("%j", async (args, code, text) => {
    const ended = await place.run([...args, "--json"]);
    expect(ended.code).toBe(1);
    const errors = events(ended.out).flatMap((event) =>
      event["@level"] === "error" ? event["diagnostic"] : [],
    );
    expect(errors).toMatchObject([{ code, detail: expect.stringContaining(text) }]);
    expect(existsSync(path.join(place.folder, "infra"))).toBe(false);
  });

  test("without a token", async () => {
    const { code, err } = await place.run(["adopt", "acme", "--out", "infra"], { STEWARD_TOKEN: "" });
    expect(code).toBe(1);
    expect(err).toContain("STEWARD_TOKEN");
    expect(existsSync(path.join(place.folder, "infra"))).toBe(false);
  });

  test("in a folder with other files, before any request", async () => {
    mkdirSync(path.join(place.folder, "infra"));
    writeFileSync(path.join(place.folder, "infra/notes.md"), "mine");
    const { code, err } = await place.run(["adopt", "acme", "--out", "infra"]);
    expect(code).toBe(1);
    expect(err).toContain("Error: Folder is not empty");
    expect(filesIn("infra")).toEqual({ "notes.md": "mine" });
    expect(place.service.requests.count()).toBe(0);
  });

  test("in a new git repository it writes", async () => {
    mkdirSync(path.join(place.folder, "infra/.git"), { recursive: true });
    expect((await place.run(["adopt", "acme", "--out", "infra", "--format", "hcl"])).code).toBe(0);
  });

  test("over a file that was edited since and would change", async () => {
    const adopt = ["adopt", "acme/shop", "--out", "infra", "--format", "json"];
    await place.run(adopt);
    writeFileSync(path.join(place.folder, "infra/main.tf.json"), `${place.read("infra/main.tf.json")} `);
    const before = filesIn("infra");
    const { code, err } = await place.run([...adopt, "--all-settings"]);
    expect(code).toBe(1);
    expect(err).toContain("Error: Adopted files were edited");
    expect(err).toContain("main.tf.json in");
    expect(err).toContain("--into FILE");
    expect(filesIn("infra")).toEqual(before);
  });
});

test("adopting again into a folder whose files were edited or deleted since changes nothing, if the settings are the same", async () => {
  await open(shop);
  const adopt = ["adopt", "acme/shop", "--out", "infra"];
  await place.run(adopt);
  const imports = path.join(place.folder, "infra/imports.ts");
  rmSync(imports);
  // All files are as written but one that is gone, which the app needs.
  expect(await place.run(adopt)).toMatchObject({ code: 0, err: "" });
  expect(existsSync(imports)).toBe(true);
  // As the comment in imports.ts says, after the first apply.
  rmSync(imports);
  const main = place.read("infra/main.ts").replace(/.*importLiveObjects.*\n/g, "");
  place.write("infra/main.ts", main);
  rmSync(path.join(place.folder, "infra/emails.auto.tfvars.json"));
  const before = filesIn("infra");
  const again = await place.run(adopt);
  expect(again).toMatchObject({ code: 0, err: "" });
  // Git does not keep the addresses: a new clone gets them back.
  const { "emails.auto.tfvars.json": emails, ...others } = filesIn("infra");
  expect(others).toEqual(before);
  expect(emails).toContain("ada@example.com");
});

describe("a part that can't be read", () => {
  beforeEach(() => open(shop));
  const fail = () =>
    place.service.faults.add({ route: "/projects/:id/protected_environments", status: 400, always: true });

  test("is an error with a comment in a new folder, which has the rest", async () => {
    fail();
    const { code, err } = await place.run(["adopt", "acme/shop", "--out", "infra", "--format", "hcl"]);
    expect(code).toBe(1);
    expect(err).toContain("400");
    const text = place.read("infra/main.tf");
    expect(text).toContain("# Not declared: all objects of type steward_protected_environment: ");
    expect(text).toContain('resource "steward_job_token_scope" "acme_shop"');
  });

  test("leaves an earlier adoption as it is", async () => {
    const adopt = ["adopt", "acme/shop", "--out", "infra", "--format", "hcl"];
    await place.run(adopt);
    const before = filesIn("infra");
    fail();
    const { code, err } = await place.run(adopt);
    expect(code).toBe(1);
    expect(err).toContain("Error: Earlier adoption left as it is");
    expect(filesIn("infra")).toEqual(before);
  });
});

test("another format in the same folder takes the place of the first", async () => {
  await open(shop);
  await place.run(["adopt", "acme/shop", "--out", "infra", "--format", "json"]);
  const { code, out } = await place.run(["adopt", "acme/shop", "--out", "infra", "--format", "hcl"]);
  expect(code).toBe(0);
  expect(out).toContain("main.tf.json: removed");
  expect(Object.keys(filesIn("infra")).sort()).toEqual(
    [".gitignore", ".steward-adopt.json", "emails.auto.tfvars.json", "main.tf"].sort(),
  );
});

test("a stopped adoption writes nothing", async () => {
  await open(shop);
  const begun = place.begin(["adopt", "acme", "--out", "infra", "--format", "hcl"], { STEWARD_LOG: "debug" });
  await begun.wrote("GET /groups/acme");
  begun.interrupt();
  expect((await begun.ended).code).toBe(1);
  expect(existsSync(path.join(place.folder, "infra"))).toBe(false);
});

test("a manifest that names files outside of the folder removes none of them", async () => {
  await open(shop);
  place.write("precious", "mine");
  await place.run(["adopt", "acme/shop", "--out", "infra", "--format", "hcl"]);
  const manifest = JSON.parse(place.read("infra/.steward-adopt.json"));
  const hash = manifest.files["main.tf"];
  place.write("infra/.steward-adopt.json", {
    ...manifest,
    files: { ...manifest.files, "../precious": hash },
  });
  await place.run(["adopt", "acme/shop", "--out", "infra", "--format", "hcl"]);
  expect(place.read("precious")).toBe("mine");
});
