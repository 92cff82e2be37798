import { createClient } from "../../src/api";
import { failureOf } from "./support/failure-of";
import { type Setting, startSetting } from "./support/service";

let setting: Setting;
beforeAll(async () => {
  setting = await startSetting();
});
afterAll(() => setting.close());

test("templates are listed without a token, and read by key", async () => {
  const anonymous = createClient({ baseUrl: setting.service.url, anonymous: true, env: {} });
  const list = await anonymous.ciTemplates.list().toArray();
  expect(list.length).toBeGreaterThan(0);
  const [{ key, name }] = list as [{ key: string; name: string }];
  const template = await setting.admin.ciTemplates.get(key);
  expect(template.name).toBe(name);
  expect(template.content.length).toBeGreaterThan(10);
});

test("the service's path segment is a setting", async () => {
  const { url: baseUrl, adminToken: token } = setting.service;
  const client = createClient({ baseUrl, token, env: {}, templatesPath: "gitlab_ci_ymls" });
  const first = await client.ciTemplates.list().toArray();
  expect(first).toEqual(await setting.admin.ciTemplates.list().toArray());
});

test("a missing template is not found", async () => {
  expect((await failureOf(setting.admin.ciTemplates.get("No/Such"))).code).toBe("not_found");
});

test("a caller with at most Guest access is refused", async () => {
  expect((await failureOf(setting.as("token-of-guest").ciTemplates.list().toArray())).code).toBe("forbidden");
});
