import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { events, filesIn, open, place, shop } from "../support/adopted-place";

jest.setTimeout(120_000);

afterEach(() => place.close());

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

  test("a part that can't be read is an error with a comment in a new folder, which has the rest", async () => {
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
