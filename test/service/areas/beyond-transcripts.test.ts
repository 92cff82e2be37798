import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { startService } from "cdktf-provider-steward/testing";
import { client } from "../client";
import { company, tokenOf } from "../company";
import { useCompany } from "../use-company";

// Cases that transcripts cannot express: concurrent requests, binary data, many users, and redirects that the client
// follows.

const { send, service } = useCompany();

const list = "/projects/1/job_token_scope/allowlist";
const rules = "/projects/1/registry/protection/repository/rules";
const idsOf = (body: unknown) => (body as { id: number }[]).map((entry) => entry.id);

test("if 40 entries are added to an allowlist at the same time, the list contains all 40", async () => {
  const projects = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      send("POST", "/projects", { json: { name: `p${index}`, namespace_id: 100 } }),
    ),
  );
  const ids = idsOf(projects.map((answer) => answer.body));
  const answers = await Promise.all(
    [...ids, ...ids].map((id) => send("POST", list, { json: { target_project_id: id } })),
  );
  for (const status of [201, 400]) expect(answers.filter((one) => one.status === status)).toHaveLength(40);
  const listed = idsOf((await send("GET", `${list}?per_page=100`)).body);
  expect(listed).toEqual([1, ...ids.sort((left, right) => left - right)]);
});

test("if 20 requests create a container rule with one pattern at the same time, exactly one succeeds", async () => {
  const json = { repository_path_pattern: "acme/web*", minimum_access_level_for_push: "owner" };
  const answers = await Promise.all(Array.from({ length: 20 }, () => send("POST", rules, { json })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(422)]);
});

test("the list of container rules returns all rules, even with page and per_page", async () => {
  const fixture = company();
  fixture.projects![0]!.container_rules = Array.from({ length: 250 }, (_, index) => ({
    repository_path_pattern: `acme/web/${index}`,
    minimum_access_level_for_push: "owner" as const,
  }));
  const crowded = await startService({ fixture });
  try {
    const ask = client(crowded);
    const whole = (await ask("GET", rules)).body as { id: number }[];
    expect(idsOf(whole)).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
    for (const query of ["per_page=10&page=2", "page=none", "pagination=keyset&order_by=name"]) {
      const { status, body, headers } = await ask("GET", `${rules}?${query}`);
      expect({ status, body }).toEqual({ status: 200, body: whole });
      expect([...headers.keys()].filter((name) => /^(link|x-.*(page|total).*)$/.test(name))).toEqual([]);
    }
  } finally {
    await crowded.close();
  }
});

test("the service returns a saved state of Terraform with exactly the same bytes", async () => {
  const text = '{\n  "version": 4, "big": 9007199254740993\n}\n';
  const headers = { "private-token": tokenOf("maintainer"), "content-type": "application/json" };
  const address = `${service().url}/api/v4/projects/1/terraform/state/production`;
  expect((await fetch(address, { method: "POST", headers, body: text })).status).toBe(200);
  expect(await (await fetch(address, { headers })).text()).toBe(text);
});

test("through the redirect, a PATCH to a moved project's old path changes the project", async () => {
  const old = `${service().url}/api/v4/projects/acme%2Fplatform%2Fold-images/job_token_scope`;
  const headers = { "private-token": service().adminToken, "content-type": "application/json" };
  const body = JSON.stringify({ enabled: false });
  expect((await fetch(old, { method: "PATCH", headers, body })).status).toBe(204);
  expect((await send("GET", "/projects/3/job_token_scope")).body).toMatchObject({ inbound_enabled: false });
});

test.each(["platform_ci_ymls", "gitlab_ci_ymls"])(
  "every CI template in the list %s has a name and a script",
  async (word) => {
    const entries = (await send("GET", `/templates/${word}`)).body as { key: string; name: string }[];
    expect(entries.length).toBeGreaterThanOrEqual(5);
    for (const { key, name } of entries) {
      const { body } = await send("GET", `/templates/${word}/${encodeURIComponent(key)}`);
      expect(body).toEqual({ name, content: expect.stringContaining("script:") });
    }
  },
);

test("the service accepts a request with the same token in PRIVATE-TOKEN and in Authorization", async () => {
  const token = tokenOf("owner");
  const headers = { "private-token": token, authorization: `Bearer ${token}` };
  expect(await send("GET", "/user", { token: null, headers })).toMatchObject({ status: 200 });
});

test('the redirect of an environment named ".." keeps the escaped name in the new address', async () => {
  const old = "/api/v4/projects/acme%2Fplatform%2Fold-images/protected_environments/%2E%2E?a=b";
  // `fetch` would resolve the name as a relative path to the parent folder, so the test sends the path as it is.
  const answer = get(service().url, { path: old, headers: { "private-token": service().adminToken } });
  const [{ headers }] = (await once(answer, "response")) as [IncomingMessage];
  answer.destroy();
  expect(headers.location).toBe(`${service().url}/api/v4/projects/3/protected_environments/%2E%2E?a=b`);
});
