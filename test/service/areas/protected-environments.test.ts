import { type Service, startService } from "cdktf-provider-steward/testing";
import { client } from "../client";
import { company, tokenOf } from "../company";

let service: Service;
let send: ReturnType<typeof client>;
beforeEach(async () => {
  const fixture = company();
  fixture.groups!.push({ path: "auditors", id: 104 });
  fixture.groups![0]!.shared_with = [{ group: "auditors", role: "reporter" }];
  fixture.projects![1]!.protected_environments = [
    {
      name: "production",
      deploy_access_levels: [{ access_level: 40 }],
      approval_rules: [{ user: "developer", required_approvals: 2 }],
      required_approval_count: 3,
    },
  ];
  service = await startService({ fixture });
  send = client(service);
});
afterEach(() => service.close());

const list = "/projects/1/protected_environments";
const production = `${list}/production`;
const protect = (...deploy_access_levels: object[]) =>
  send("POST", list, { json: { name: "production", deploy_access_levels } });

interface Rule {
  readonly id: number;
  readonly access_level: number | null;
  readonly user_id: number | null;
  readonly group_id: number | null;
  readonly access_level_description: string;
}
const levels = async (): Promise<Rule[]> =>
  ((await send("GET", production)).body as { deploy_access_levels: Rule[] }).deploy_access_levels;

test("an entry shows the name of its group only to callers who may see the group", async () => {
  await protect({ group_id: 102 });
  expect(await levels()).toMatchObject([{ group_id: 102, access_level_description: "release-managers" }]);
  const { body } = await send("GET", production, { token: tokenOf("maintainer") });
  expect(body).toMatchObject({
    deploy_access_levels: [{ group_id: 102, access_level_description: "Group 102" }],
  });
});

describe("Protected environments: protect", () => {
  test("answers 201 with every field", async () => {
    const json = {
      name: "production",
      deploy_access_levels: [{ access_level: 40 }],
      approval_rules: [{ group_id: 102, group_inheritance_type: 1, required_approvals: 2 }],
    };
    expect(await send("POST", list, { json })).toMatchObject({
      status: 201,
      body: {
        name: "production",
        required_approval_count: 0,
        deploy_access_levels: [
          {
            id: expect.any(Number),
            access_level: 40,
            access_level_description: "Maintainers",
            user_id: null,
            group_id: null,
            group_inheritance_type: 0,
          },
        ],
        approval_rules: [
          {
            id: expect.any(Number),
            access_level: null,
            access_level_description: "release-managers",
            user_id: null,
            group_id: 102,
            group_inheritance_type: 1,
            required_approvals: 2,
          },
        ],
      },
    });
  });

  test("an entry for a user describes it by name; rules may be left out", async () => {
    const answer = await protect({ user_id: 14 });
    expect(answer.body).toMatchObject({
      deploy_access_levels: [{ user_id: 14, access_level: null, access_level_description: "Developer" }],
      approval_rules: [],
    });
  });

  test.each([30, 40, 60])("Valid access levels: %i", async (access_level) => {
    expect((await protect({ access_level })).status).toBe(201);
  });

  test.each([
    ["a level that is none of 30, 40, 60", { access_level: 50 }],
    ["no target", { group_inheritance_type: 1 }],
    ["two targets", { access_level: 40, user_id: 14 }],
    ["a user without access to the project", { user_id: 21 }],
    ["a user who is not there", { user_id: 999 }],
    ["a group it is not shared with", { group_id: 103 }],
    ["the group it lies in, which is no share", { group_id: 100 }],
    ["an inheritance type that is neither 0 nor 1", { access_level: 40, group_inheritance_type: 2 }],
    ["a deletion without an id", { access_level: 40, _destroy: true }],
    ["the id of nothing", { id: 999, access_level: 40 }],
  ])("rules 1 and 2, 422 for %s", async (_, element) => {
    const answer = await protect({ access_level: 40 }, element);
    expect(answer.status).toBe(422);
    expect(answer.body).toHaveProperty(["message", "deploy_access_levels[1]"]);
    expect((await send("GET", production)).status).toBe(404);
  });

  test("rule 2: a share of the group above counts", async () => {
    expect((await protect({ group_id: 104 })).status).toBe(201);
  });

  test("422 without any deploy access level, 400 without the parameter", async () => {
    expect((await protect()).status).toBe(422);
    expect((await send("POST", list, { json: { name: "production" } })).status).toBe(400);
  });

  test("settled: 409 when it is protected already, 404 when the project is not there", async () => {
    await protect({ access_level: 40 });
    expect((await protect({ access_level: 30 })).status).toBe(409);
    const json = { name: "x", deploy_access_levels: [{ access_level: 40 }] };
    expect((await send("POST", "/projects/999/protected_environments", { json })).status).toBe(404);
  });

  test("422 for an approval rule that asks for no approval", async () => {
    const json = {
      name: "production",
      deploy_access_levels: [{ access_level: 40 }],
      approval_rules: [{ access_level: 40, required_approvals: 0 }],
    };
    expect((await send("POST", list, { json })).status).toBe(422);
  });
});

describe("Protected environments: read", () => {
  test("the list and the single one are alike", async () => {
    const created = await protect({ access_level: 40 });
    expect((await send("GET", list)).body).toEqual([created.body]);
    expect((await send("GET", production)).body).toEqual(created.body);
    expect((await send("GET", `${list}/staging`)).status).toBe(404);
  });

  test.each([
    [
      "JSON",
      { json: { name: "staging", deploy_access_levels: [{ access_level: 40 }], required_approval_count: 2 } },
    ],
    ["a form", { form: "name=staging&deploy_access_levels[][access_level]=40&required_approval_count=2" }],
  ])("settled: required_approval_count of a protect request is stored, sent as %s", async (_, sent) => {
    expect(await send("POST", list, sent)).toMatchObject({
      status: 201,
      body: { required_approval_count: 2 },
    });
    expect((await send("GET", `${list}/staging`)).body).toMatchObject({ required_approval_count: 2 });
  });

  test("settled: required_approval_count comes from the fixture", async () => {
    const answer = await send("GET", "/projects/2/protected_environments/production");
    expect(answer.body).toMatchObject({
      required_approval_count: 3,
      approval_rules: [{ user_id: 14, required_approvals: 2 }],
    });
  });
});

describe("Protected environments: update (rule 3)", () => {
  const update = (json: object) => send("PUT", production, { json });

  test("an element with an id changes that record, and keeps its id", async () => {
    await protect({ access_level: 40 });
    const [before] = await levels();
    const answer = await update({ deploy_access_levels: [{ id: before!.id, user_id: 14 }] });
    expect(answer).toMatchObject({
      status: 200,
      body: { deploy_access_levels: [{ id: before!.id, user_id: 14, access_level: null }] },
    });
  });

  test("an element with an id and no target changes its other fields alone", async () => {
    await protect({ group_id: 102 });
    const [before] = await levels();
    await update({ deploy_access_levels: [{ id: before!.id, group_inheritance_type: 1 }] });
    expect(await levels()).toEqual([{ ...before, group_inheritance_type: 1 }]);
  });

  test("one update deletes, changes and creates", async () => {
    await protect({ access_level: 30 }, { access_level: 40 });
    const [first, second] = await levels();
    await update({
      deploy_access_levels: [
        { id: first!.id, _destroy: true },
        { id: second!.id, access_level: 60 },
        { user_id: 14 },
      ],
    });
    expect((await levels()).map((rule) => rule.access_level ?? rule.user_id)).toEqual([60, 14]);
  });

  test("an element without an id is a new record, also when it is sent twice", async () => {
    await protect({ access_level: 40 });
    await update({ deploy_access_levels: [{ access_level: 30 }] });
    await update({ deploy_access_levels: [{ access_level: 30 }] });
    expect(await levels()).toHaveLength(3);
  });

  test("what is left out stays as it is", async () => {
    await protect({ access_level: 40 });
    const before = await levels();
    await update({ approval_rules: [{ access_level: 30 }] });
    expect(await levels()).toEqual(before);
    expect((await update({})).body).toMatchObject({
      approval_rules: [{ access_level: 30, required_approvals: 1 }],
    });
  });

  test("approval rules change and go the same way", async () => {
    await protect({ access_level: 40 });
    const created = await update({ approval_rules: [{ user_id: 14, required_approvals: 2 }] });
    const [{ id }] = (created.body as { approval_rules: [Rule] }).approval_rules;
    const changed = await update({ approval_rules: [{ id, required_approvals: 3 }] });
    expect(changed.body).toMatchObject({ approval_rules: [{ id, user_id: 14, required_approvals: 3 }] });
    expect((await update({ approval_rules: [{ id, _destroy: true }] })).body).toMatchObject({
      approval_rules: [],
    });
  });

  test("settled: 422 when no deploy access level would be left, and nothing is changed", async () => {
    await protect({ access_level: 40 });
    const [before] = await levels();
    const json = {
      deploy_access_levels: [{ id: before!.id, _destroy: true }],
      approval_rules: [{ access_level: 30 }],
    };
    expect((await update(json)).status).toBe(422);
    expect((await send("GET", production)).body).toMatchObject({
      deploy_access_levels: [before],
      approval_rules: [],
    });
  });

  test("422 for the id of a record in another list or another environment", async () => {
    await protect({ access_level: 40 });
    const other = await send("GET", "/projects/2/protected_environments/production");
    const [{ id }] = (other.body as { deploy_access_levels: [Rule] }).deploy_access_levels;
    expect((await update({ deploy_access_levels: [{ id, access_level: 30 }] })).status).toBe(422);
    const [own] = await levels();
    expect((await update({ approval_rules: [{ id: own!.id, access_level: 30 }] })).status).toBe(422);
  });

  test("404 for an environment that is not protected", async () => {
    expect((await update({})).status).toBe(404);
  });
});

describe("Protected environments: unprotect", () => {
  test("settled: 204, then 404, and it can be protected again", async () => {
    await protect({ access_level: 40 });
    expect(await send("DELETE", production)).toMatchObject({ status: 204, body: undefined });
    expect((await send("DELETE", production)).status).toBe(404);
    expect((await protect({ access_level: 40 })).status).toBe(201);
  });
});
