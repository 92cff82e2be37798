import { failureOf } from "./support/failure-of";
import { type Setting, startSetting } from "./support/service";

let setting: Setting;
beforeEach(async () => {
  setting = await startSetting();
});
afterEach(() => setting.close());

test("settings and deployments are read", async () => {
  const found = await setting.as("token-of-ann").pages.get("acme/web");
  expect(found).toMatchObject({
    url: expect.stringContaining("http"),
    is_unique_domain_enabled: true,
    force_https: true,
    primary_domain: null,
  });
  expect(found.deployments.map(({ path_prefix, root_directory }) => [path_prefix, root_directory])).toEqual(
    expect.arrayContaining([
      ["", "public"],
      ["v2", null],
    ]),
  );
});

test("settings are updated, also a single one, and an empty text clears the primary domain", async () => {
  const { pages } = setting.admin;
  const changed = await pages.update(201, {
    pages_unique_domain_enabled: false,
    pages_primary_domain: "docs.acme.example",
  });
  expect(changed).toMatchObject({
    is_unique_domain_enabled: false,
    force_https: true,
    primary_domain: expect.stringContaining("docs.acme.example"),
  });
  expect((await pages.update(201, { pages_primary_domain: "" })).primary_domain).toBeNull();
});

test("the domains of a project are listed", async () => {
  const names = async (project: number) =>
    (await setting.admin.pages.domains(project).toArray()).map(({ domain }) => domain);
  expect(await names(201)).toEqual(["docs.acme.example"]);
  expect(await names(203)).toEqual([]);
});

test("unpublishing removes the deployments and keeps the settings", async () => {
  await setting.admin.pages.unpublish("acme/web");
  expect(await setting.admin.pages.get(201)).toMatchObject({
    deployments: [],
    is_unique_domain_enabled: true,
  });
});

test("only administrators may update", async () => {
  const attempt = setting.as("token-of-ann").pages.update(201, { pages_https_only: false });
  expect(await failureOf(attempt)).toMatchObject({ code: "forbidden", status: 403 });
});
