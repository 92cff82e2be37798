import { failureOf } from "./support/failure-of";
import { type Setting, startSetting } from "./support/service";

let setting: Setting;
beforeEach(async () => {
  setting = await startSetting();
});
afterEach(() => setting.close());

test("a rule is created, listed, updated and deleted", async () => {
  const { containerProtectionRules: rules } = setting.as("token-of-ann");
  const made = await rules.create("acme/web", {
    repository_path_pattern: "acme/web/release*",
    minimum_access_level_for_push: "maintainer",
  });
  expect(made).toEqual({
    id: expect.any(Number),
    project_id: 201,
    repository_path_pattern: "acme/web/release*",
    minimum_access_level_for_push: "maintainer",
    minimum_access_level_for_delete: null,
  });
  const changed = await rules.update(201, made.id, {
    minimum_access_level_for_push: "",
    minimum_access_level_for_delete: "admin",
  });
  expect(changed).toMatchObject({
    minimum_access_level_for_push: null,
    minimum_access_level_for_delete: "admin",
  });
  const list = await rules.list(201).toArray();
  expect(list).toContainEqual(changed);
  expect(list).toHaveLength(2);
  await rules.delete(201, made.id);
  expect(await rules.list(201).toArray()).toHaveLength(1);
  expect((await failureOf(rules.delete(201, made.id))).code).toBe("not_found");
});

test("a taken pattern is already_there", async () => {
  const attempt = setting.admin.containerProtectionRules.create(201, {
    repository_path_pattern: "acme/web/*",
    minimum_access_level_for_delete: "owner",
  });
  expect(await failureOf(attempt)).toMatchObject({ code: "already_there", status: 422 });
});

test(
  "a rule without a level is refused before it is sent, one that would lose its last level " +
    "by the service",
  async () => {
    const { containerProtectionRules: rules } = setting.admin;
    setting.service.requests.reset();
    const none = await failureOf(rules.create(201, { repository_path_pattern: "acme/web/other" }));
    expect(none.code).toBe("invalid_argument");
    expect(none.message).toContain("at least one of the two levels");
    expect(setting.service.requests.all).toEqual([]);
    const [rule] = await rules.list(201).toArray();
    const last = await failureOf(rules.update(201, rule!.id, { minimum_access_level_for_push: "" }));
    expect(last).toMatchObject({ code: "unprocessable", status: 422 });
  },
);
