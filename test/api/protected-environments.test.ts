import { failureOf } from "./support/failure-of";
import { type Setting, startSetting } from "./support/service";

let setting: Setting;
beforeEach(async () => {
  setting = await startSetting();
});
afterEach(() => setting.close());

const who = ({
  user_id,
  group_id,
  access_level,
}: {
  user_id: unknown;
  group_id: unknown;
  access_level: unknown;
}) => (user_id ? `user ${user_id}` : group_id ? `group ${group_id}` : `level ${access_level}`);

test("an environment is protected, read, changed and unprotected", async () => {
  const { protectedEnvironments } = setting.as("token-of-ann");
  const made = await protectedEnvironments.protect("acme/web", {
    name: "review/feature-1",
    deploy_access_levels: [{ access_level: 40 }, { user_id: 12 }],
    approval_rules: [{ group_id: 102, group_inheritance_type: 1, required_approvals: 2 }],
  });
  expect(made).toMatchObject({ name: "review/feature-1", required_approval_count: 0 });
  expect(made.deploy_access_levels.map(who).sort()).toEqual(["level 40", "user 12"]);
  expect(made.approval_rules).toEqual([
    expect.objectContaining({ group_id: 102, required_approvals: 2, group_inheritance_type: 1 }),
  ]);
  expect(await protectedEnvironments.get(201, "review/feature-1")).toEqual(made);

  const level = made.deploy_access_levels.find(({ access_level }) => access_level === 40)!;
  const changed = await protectedEnvironments.update(201, "review/feature-1", {
    deploy_access_levels: [{ id: level.id, _destroy: true }, { group_id: 102 }],
  });
  expect(changed.deploy_access_levels.map(who).sort()).toEqual(["group 102", "user 12"]);

  await protectedEnvironments.unprotect(201, "review/feature-1");
  const gone = await failureOf(protectedEnvironments.get(201, "review/feature-1"));
  expect(gone.code).toBe("not_found");
});

test("a hundred and fifty of them are read in two pages at a time", async () => {
  const { protectedEnvironments } = setting.admin;
  const names = Array.from({ length: 150 }, (_, index) => `production-${index}`);
  await Promise.all(
    names.map((name) =>
      protectedEnvironments.protect(203, { name, deploy_access_levels: [{ access_level: 30 }] }),
    ),
  );
  setting.service.requests.reset();
  const list = await protectedEnvironments.list("acme/tools/cli").toArray();
  expect(list.map(({ name }) => name).sort()).toEqual(names.sort());
  expect(setting.service.requests.all).toHaveLength(2);
});

test("an environment that is protected already is already_there", async () => {
  const again = () =>
    setting.admin.protectedEnvironments.protect(201, {
      name: "production",
      deploy_access_levels: [{ access_level: 40 }],
    });
  await again();
  expect(await failureOf(again())).toMatchObject({ code: "already_there", status: 409 });
});

test("a user without access is refused by the service", async () => {
  const attempt = setting.admin.protectedEnvironments.protect(201, {
    name: "production",
    deploy_access_levels: [{ user_id: 15 }],
  });
  expect(await failureOf(attempt)).toMatchObject({ code: "unprocessable", status: 422 });
});

test.each([
  [[{}], "exactly one of user_id, group_id and access_level"],
  [[{ user_id: 1, access_level: 40 }], "exactly one of"],
  [[{ access_level: 50 }], "30 or 40 or 60"],
  [[{ access_level: 40, group_inheritance_type: 2 }], "0 or 1"],
])("an element %j is refused before it is sent", async (deploy_access_levels, told) => {
  setting.service.requests.reset();
  const attempt = setting.admin.protectedEnvironments.protect(201, {
    name: "production",
    deploy_access_levels,
  });
  const error = await failureOf(attempt);
  expect(error.code).toBe("invalid_argument");
  expect(error.message).toContain(told);
  expect(setting.service.requests.all).toEqual([]);
});
