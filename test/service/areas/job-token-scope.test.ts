import { startService } from "cdktf-provider-steward/testing";
import { client } from "../client";
import { company, tokenOf } from "../company";
import { useCompany } from "../use-company";

const { send, service } = useCompany();

const scope = "/projects/1/job_token_scope";
const idsOf = (body: unknown) => (body as { id: number }[]).map((entry) => entry.id);

describe("Job token scope: settings", () => {
  test("GET gives both flags", async () => {
    expect(await send("GET", scope)).toMatchObject({
      status: 200,
      body: { inbound_enabled: true, outbound_enabled: false },
    });
  });

  test("PATCH changes 'limit access to this project' and answers 204 without a body", async () => {
    const answer = await send("PATCH", scope, { json: { enabled: false } });
    expect(answer).toMatchObject({ status: 204, body: undefined });
    expect((await send("GET", scope)).body).toMatchObject({ inbound_enabled: false });
  });

  test("`enabled` is required", async () => {
    expect(await send("PATCH", scope, { json: {} })).toMatchObject({
      status: 400,
      body: { error: "enabled is missing" },
    });
  });
});

describe("Job token scope: the allowlist of projects", () => {
  const list = `${scope}/allowlist`;

  test("POST adds one and names both projects", async () => {
    expect(await send("POST", list, { json: { target_project_id: 2 } })).toMatchObject({
      status: 201,
      body: { source_project_id: 1, target_project_id: 2 },
    });
    expect(idsOf((await send("GET", list)).body)).toEqual([1, 2]);
  });

  test("an entry has every field of the limited project record", async () => {
    await send("POST", list, { json: { target_project_id: 4 } });
    const { body } = await send("GET", list);
    expect((body as unknown[])[1]).toEqual({
      id: 4,
      description: null,
      name: "library",
      name_with_namespace: "open-source / library",
      path: "library",
      path_with_namespace: "open-source/library",
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      default_branch: "main",
      tag_list: ["library"],
      topics: ["library"],
      ssh_url_to_repo: expect.stringContaining("open-source/library.git"),
      http_url_to_repo: expect.stringContaining("/open-source/library.git"),
      web_url: expect.stringContaining("/open-source/library"),
      avatar_url: null,
      star_count: 0,
      last_activity_at: expect.any(String),
      namespace: {
        id: 103,
        name: "open-source",
        path: "open-source",
        kind: "group",
        full_path: "open-source",
        parent_id: null,
        avatar_url: null,
        web_url: expect.stringContaining("/open-source"),
      },
    });
  });

  test("settled: an entry that is there already is 400, and says so", async () => {
    await send("POST", list, { json: { target_project_id: 2 } });
    const again = await send("POST", list, { json: { target_project_id: 2 } });
    expect(again.status).toBe(400);
    expect(again.body).toHaveProperty("message", expect.stringContaining("already"));
  });

  test("a target that is not there, or that the caller may not see, is 404", async () => {
    expect((await send("POST", list, { json: { target_project_id: 999 } })).status).toBe(404);
    const token = tokenOf("maintainer");
    expect((await send("POST", list, { token, json: { target_project_id: 6 } })).status).toBe(404);
    expect((await send("POST", list, { token, json: { target_project_id: 5 } })).status).toBe(201);
  });

  test.each([[undefined], ["two"], [1.5], [0], [null]])(
    "400 for the target %j",
    async (target_project_id) => {
      expect((await send("POST", list, { json: { target_project_id } })).status).toBe(400);
    },
  );

  test("settled: DELETE answers 204, and 404 when it is not there", async () => {
    await send("POST", list, { json: { target_project_id: 2 } });
    expect(await send("DELETE", `${list}/2`)).toMatchObject({ status: 204, body: undefined });
    expect((await send("DELETE", `${list}/2`)).status).toBe(404);
  });

  test("settled: a project's own entry is always there and cannot be removed", async () => {
    expect(idsOf((await send("GET", list)).body)).toEqual([1]);
    expect((await send("DELETE", `${list}/1`)).status).toBe(400);
    expect((await send("POST", list, { json: { target_project_id: 1 } })).status).toBe(400);
  });

  test("settled: a size limit, off by default, is 400 when reached", async () => {
    const limited = await startService({ fixture: company(), settings: { allowlistLimit: 1 } });
    const post = client(limited);
    expect((await post("POST", list, { json: { target_project_id: 2 } })).status).toBe(201);
    const answer = await post("POST", list, { json: { target_project_id: 3 } });
    expect(answer).toMatchObject({ status: 400 });
    expect(idsOf((await post("GET", list)).body)).toEqual([1, 2]);
    await limited.close();
  });

  test("an entry is deleted with its project", async () => {
    await send("POST", list, { json: { target_project_id: 2 } });
    await send("DELETE", "/projects/2");
    expect(idsOf((await send("GET", list)).body)).toEqual([1]);
  });

  test("concurrent writes lose no entry", async () => {
    const projects = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        send("POST", "/projects", { json: { name: `p${index}`, namespace_id: 100 } }),
      ),
    );
    const ids = idsOf(projects.map((answer) => answer.body));
    const answers = await Promise.all(
      [...ids, ...ids].map((id) => send("POST", list, { json: { target_project_id: id } })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(40);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(40);
    const listed = idsOf((await send("GET", `${list}?per_page=100`)).body);
    expect(listed).toEqual([1, ...ids.sort((left, right) => left - right)]);
  });
});

describe("Job token scope: entries that the caller may not see", () => {
  const list = `${scope}/allowlist`;
  const groups = `${scope}/groups_allowlist`;
  const token = tokenOf("maintainer");
  // The project 6 and the group 102 are private to others.
  beforeEach(async () => {
    for (const target_project_id of [2, 6]) await send("POST", list, { json: { target_project_id } });
    for (const target_group_id of [101, 102]) await send("POST", groups, { json: { target_group_id } });
  });

  test("settled: they are in no list and no total, where their names were shown before", async () => {
    for (const [path, all, seen] of [
      [list, [1, 2, 6], [1, 2]],
      [groups, [101, 102], [101]],
    ] as const) {
      expect(idsOf((await send("GET", path)).body)).toEqual(all);
      const answer = await send("GET", path, { token });
      expect(idsOf(answer.body)).toEqual(seen);
      expect(answer.headers.get("x-total")).toBe(String(seen.length));
      const past = await send("GET", `${path}?per_page=1&page=${seen.length}`, { token });
      expect(past.headers.get("x-next-page")).toBe("");
    }
  });

  test("settled: DELETE answers as for a missing entry and keeps it", async () => {
    expect((await send("DELETE", `${list}/6`, { token })).body).toEqual(
      (await send("DELETE", `${list}/999`, { token })).body,
    );
    expect((await send("DELETE", `${groups}/102`, { token })).body).toEqual(
      (await send("DELETE", `${groups}/999`, { token })).body,
    );
    expect(idsOf((await send("GET", list)).body)).toEqual([1, 2, 6]);
    expect(idsOf((await send("GET", groups)).body)).toEqual([101, 102]);
    expect((await send("DELETE", `${list}/6`)).status).toBe(204);
    expect((await send("DELETE", `${groups}/102`)).status).toBe(204);
  });

  test("an entry becomes visible when its target does", async () => {
    const json = { user_id: 15, access_level: 10 };
    await send("POST", "/groups/102/members", { json });
    expect(idsOf((await send("GET", groups, { token })).body)).toEqual([101, 102]);
    await send("PUT", "/projects/6", { json: { visibility: "internal" } });
    expect(idsOf((await send("GET", list, { token })).body)).toEqual([1, 2, 6]);
  });

  test("a group that is seen by a share is seen on lists too", async () => {
    const fixture = company();
    fixture.groups!.find(({ id }) => id === 102)!.shared_with = [{ group: "acme", role: "guest" }];
    const shared = await startService({ fixture });
    try {
      const ask = client(shared);
      await ask("POST", groups, { token, json: { target_group_id: 102 } });
      expect(idsOf((await ask("GET", groups, { token })).body)).toEqual([102]);
      expect(idsOf((await ask("GET", "/groups?search=release", { token })).body)).toEqual([102]);
    } finally {
      await shared.close();
    }
  });

  test("observed: they are listed as on the live platform, and DELETE of a project's is 404", async () => {
    const live = await startService({
      compat: "observed",
      fixture: {
        ...company(),
        projects: company().projects!.map((project) =>
          project.id === 1
            ? { ...project, job_token_scope: { projects: ["outsider/notes"], groups: ["release-managers"] } }
            : project,
        ),
      },
    });
    try {
      const ask = client(live);
      expect(idsOf((await ask("GET", list, { token })).body)).toEqual([1, 6]);
      expect(idsOf((await ask("GET", groups, { token })).body)).toEqual([102]);
      expect((await ask("DELETE", `${list}/6`, { token })).status).toBe(404);
      expect((await ask("DELETE", `${groups}/102`, { token })).status).toBe(204);
    } finally {
      await live.close();
    }
  });
});

describe("Job token scope: the allowlist of groups", () => {
  const list = `${scope}/groups_allowlist`;

  test("settled: POST, GET and DELETE, with limited group records", async () => {
    expect(await send("POST", list, { json: { target_group_id: 101 } })).toMatchObject({
      status: 201,
      body: { source_project_id: 1, target_group_id: 101 },
    });
    expect((await send("GET", list)).body).toEqual([
      { id: 101, web_url: `${service().url}/groups/acme/platform`, name: "platform" },
    ]);
    expect((await send("DELETE", `${list}/101`)).status).toBe(204);
    expect((await send("DELETE", `${list}/101`)).status).toBe(404);
    expect((await send("GET", list)).body).toEqual([]);
  });

  test("an entry that is there already is 400; a group that is hidden or missing is 404", async () => {
    await send("POST", list, { json: { target_group_id: 101 } });
    expect((await send("POST", list, { json: { target_group_id: 101 } })).status).toBe(400);
    expect((await send("POST", list, { json: { target_group_id: 999 } })).status).toBe(404);
    const token = tokenOf("maintainer");
    expect((await send("POST", list, { token, json: { target_group_id: 102 } })).status).toBe(404);
  });
});
