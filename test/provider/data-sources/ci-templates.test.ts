import { listed, readData } from "../support/data-sources";
import { FIXTURE, providerConfig, TOKEN, useWorld } from "../support/world";

const content = "test:\n  script: npm test\n";
const GUEST = "token-of-a-guest";
const world = useWorld({
  ...FIXTURE,
  users: [...FIXTURE.users!, { username: "gus", token: GUEST }],
  groups: [...FIXTURE.groups!, { path: "visitors", id: 50, members: [{ user: "gus", role: "guest" }] }],
  templates: [
    { key: "Node", name: "Node.js", content },
    { key: "Pages/Static site", content: "pages: {}\n" },
  ],
});
const one = (key: string) => readData(world(), "steward_ci_template", { key });

test("the list has keys and names", async () => {
  expect(await listed(world(), "steward_ci_templates", "templates", {})).toEqual([
    { key: "Node", name: "Node.js" },
    { key: "Pages/Static site", name: "Pages/Static site" },
  ]);
});

test("each key of the list leads to a template, whatever stands in it", async () => {
  expect((await one("Node")).attributes).toEqual({ key: "Node", name: "Node.js", content });
  expect((await one("Pages/Static site")).attributes).toMatchObject({ content: "pages: {}\n" });
});

test("a key that is none is an error with the attribute, which says where the keys are", async () => {
  const answer = await one("Cobol");
  expect(answer).toMatchObject({ diagnostics: [{ code: "record_not_found", attribute: ["key"] }] });
  expect(answer.diagnostics[0]!.detail).toContain("steward_ci_templates");
});

test("a user who is nowhere more than a guest is refused", async () => {
  for (const [type, config] of [
    ["steward_ci_templates", {}],
    ["steward_ci_template", { key: "Node" }],
  ] as const) {
    expect(await readData(world(), type, config, GUEST)).toMatchObject({
      diagnostics: [{ severity: "error", code: "forbidden" }],
    });
  }
});

test("the word in the address is a setting of the provider", async () => {
  const { provider, service } = world();
  const read = async (templates_path: string) => {
    const config = providerConfig(provider, {
      base_url: service.url,
      token: TOKEN.maintainer,
      templates_path,
    });
    const run = provider.configure(config, {}).provider!;
    const answer = await run.readDataSource({ type: "steward_ci_templates", config: { templates: null } });
    await run.close();
    return answer;
  };
  service.requests.reset();
  expect((await read("gitlab_ci_ymls")).attributes!["templates"]).toHaveLength(2);
  expect(service.requests.all.map(({ url }) => url)).toEqual([
    expect.stringContaining("/templates/gitlab_ci_ymls"),
  ]);
  expect((await read("other_word")).diagnostics).toMatchObject([{ severity: "error", code: "not_found" }]);
});
