import { TOKENS } from "../cli/support/place";
import { dynamic, type PluginClient } from "./support/plugin-client";
import { useServed } from "./support/served";

const PATHS = ["acme/docs", "acme/shop", "acme/tools", "acme/web"];
const served = useServed({
  users: [
    { username: "maya", token: TOKENS.maintainer },
    { username: "devon", token: TOKENS.developer },
    { username: "oona", token: TOKENS.reader },
  ],
  groups: [
    {
      path: "acme",
      members: [
        { user: "maya", role: "maintainer" },
        { user: "devon", role: "developer" },
      ],
    },
  ],
  projects: [
    ...PATHS.map((path) => ({ path })),
    { path: "oona/notes", members: [{ user: "oona", role: "maintainer" as const }] },
  ],
});

const SCOPE = "steward_job_token_scope";
const scope = (project: string, id: string | null) =>
  dynamic({ id, project, inbound_enabled: true, outbound_enabled: id === null ? null : false });

const read = (client: PluginClient, project: string, id: number) =>
  client.call("ReadResource", {
    typeName: SCOPE,
    currentState: scope(project, String(id)),
    private: Buffer.from(""),
  });
const create = (client: PluginClient, project: string) => {
  const config = scope(project, null);
  return client.call("PlanResourceChange", {
    ...{ typeName: SCOPE, priorState: dynamic(null), proposedNewState: config, config },
  });
};

type Told = Awaited<ReturnType<typeof read>>;
const errors = (answers: readonly Pick<Told, "diagnostics">[]) =>
  answers.flatMap(({ diagnostics }) => diagnostics.filter(({ severity }) => severity === "ERROR"));
const text = (answers: readonly Pick<Told, "diagnostics">[]) =>
  JSON.stringify(answers.map((one) => one.diagnostics));

describe.each([
  ["that sees no project", TOKENS.reader, "No project found", 'user \\"oona\\" can\'t see them'],
  [
    "whose role is too low in all projects",
    TOKENS.developer,
    "The token's role is too low in all projects",
    'user is \\"devon\\"',
  ],
])("a token %s", (_, token, summary, user) => {
  test("if the service refuses all reads, the plugin prints one error about the token", async () => {
    const client = await served.configured({ token });
    const answers = await Promise.all(PATHS.map((path, index) => read(client, path, index + 1)));
    expect(errors(answers).map((one) => one.summary)).toEqual([summary]);
    expect(text(answers)).toContain(user);
    expect(text(answers)).not.toMatch(/removed \{|state rm/);
    for (const [index, { newState }] of answers.entries())
      expect(newState).toMatchObject(scope(PATHS[index]!, String(index + 1)));
    expect(answers.every(({ diagnostics }) => diagnostics.length === 1)).toBe(true);
  });

  test("if the service refuses the first read before the second read starts, the plugin prints one error about the token", async () => {
    const client = await served.configured({ token });
    const before = served.service.requests.all.length;
    const first = read(client, PATHS[0]!, 1);
    while (served.service.requests.all.length === before) await new Promise(setImmediate);
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    const answers = await Promise.all([first, read(client, PATHS[1]!, 2), read(client, PATHS[2]!, 3)]);
    expect(errors(answers).map((one) => one.summary)).toEqual([summary]);
  });

  test("if projects are read one after another, the reads from the second on cause one error in total", async () => {
    const client = await served.configured({ token });
    const answers: Told[] = [];
    for (const [index, path] of PATHS.entries()) answers.push(await read(client, path, index + 1));
    expect(errors(answers.slice(1))).toHaveLength(1);
    expect(text(answers.slice(1))).not.toMatch(/removed \{|state rm/);
  });
});

test("for each new object in a missing project, the plan has a separate error `No such project`", async () => {
  const client = await served.configured({ token: TOKENS.reader });
  const planned = await Promise.all(PATHS.map((path) => create(client, path)));
  expect(errors(planned).map(({ summary }) => summary)).toEqual(PATHS.map(() => "No such project"));
});

test("if the plan of a new object succeeds, errors about unreadable objects do not give the token as the cause", async () => {
  const client = await served.configured({ token: TOKENS.reader });
  const [, ...answers] = await Promise.all([
    create(client, "oona/notes"),
    ...PATHS.map((path, index) => read(client, path, index + 1)),
  ]);
  expect(text(answers)).not.toMatch(/The token's role|No project found/);
});

test("if the token can read one project, each unreadable project has a separate error with another cause than the token", async () => {
  const client = await served.configured({ token: TOKENS.reader });
  const answers = await Promise.all([
    ...PATHS.map((path, index) => read(client, path, index + 1)),
    read(client, "oona/notes", PATHS.length + 1),
  ]);
  expect(errors(answers)).toHaveLength(PATHS.length);
  expect(text(answers)).toContain("removed {");
  expect(text(answers)).not.toMatch(/The token's role|No project found/);
});
