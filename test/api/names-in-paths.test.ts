import * as fc from "fast-check";
import { type Client, createClient } from "../../src/api";
import { type CompatMode, type Service, startService } from "../../src/testing";
import { runs, seed } from "../support/capabilities";
import { codePoint } from "../support/code-points";
import { HttpProxy } from "../support/http-proxy";

// The name of an environment can be any text. The tests check that the client encodes the name, so that the service gets
// the name as one path segment.

const OLD = "acme/old.web";
let service: Service;
let client: Client;
const start = async (compat: CompatMode) => {
  service = await startService({
    compat,
    fixture: {
      groups: [{ path: "acme" }],
      projects: [{ path: "acme/web", id: 1, former_paths: [OLD] }],
    },
  });
  client = createClient({ baseUrl: service.url, token: service.adminToken, env: {} });
};
afterEach(async () => {
  await client.close();
  await service.close();
});

/** Texts that proxies, routers and decoders may interpret wrongly in a path. */
const ODD = [
  ".",
  "..",
  "v1.json",
  "/",
  "//",
  " ",
  "100%",
  "%2F",
  "%2E%2E",
  "a#b?c=d&e",
  "a+b;c,d",
  "a:b@c",
  "back\\slash",
];

/** Runs the lifecycle of an environment with this name. The project is given by id or path. */
async function live(name: string, project: number | string): Promise<void> {
  const { protectedEnvironments: all } = client;
  const level = { access_level: 40 as const };
  expect(await all.protect(project, { name, deploy_access_levels: [level] })).toMatchObject({ name });
  expect(await all.get(project, name)).toMatchObject({ name });
  const updated = await all.update(project, name, { deploy_access_levels: [{ access_level: 30 }] });
  expect(updated.deploy_access_levels).toHaveLength(2);
  expect((await all.list(project).toArray()).map((one) => one.name)).toEqual([name]);
  await all.unprotect(project, name);
  expect(await all.list(project).toArray()).toEqual([]);
}

describe.each(["strict", "observed"] as const)("a service in the mode %s", (compat) => {
  beforeEach(() => start(compat));

  test.each(["..", "a.b", "100%/ä"])(
    "the client reads and changes an environment called %j under the old path of its project",
    (name) => live(name, OLD),
  );

  test("the client reads and changes an environment with any text as its name", async () => {
    // The names contain no NUL, because the database can't store it.
    const name = fc
      .string({ minLength: 1, maxLength: 60, unit: codePoint })
      .filter((text) => !/[\p{Surrogate}\0]/u.test(text));
    for (const odd of ODD) await live(odd, "acme/web");
    await fc.assert(
      fc.asyncProperty(name, (text) => live(text, 1)),
      { seed, numRuns: runs(30, 1000) },
    );
  });
});

test("dots in names and paths are encoded in URLs, because routes would read them as a format suffix", async () => {
  await start("strict");
  const targets: string[] = [];
  const proxy = new HttpProxy(service.url, async (passage) => {
    targets.push(passage.url);
    passage.answer(await passage.forward());
  });
  const behind = createClient({ baseUrl: await proxy.start(), token: service.adminToken, env: {} });
  await behind.protectedEnvironments.get(1, "v1.json").catch(() => undefined);
  await behind.projects.get("acme/web.site").catch(() => undefined);
  await behind.projectInvitations.delete(1, "ada@example.com").catch(() => undefined);
  expect(targets.filter((target) => target.startsWith("/api/v4/projects/"))).toEqual([
    "/api/v4/projects/1/protected_environments/v1%2Ejson",
    "/api/v4/projects/acme%2Fweb%2Esite",
    "/api/v4/projects/1/invitations/ada%40example%2Ecom",
  ]);
  await behind.close();
  proxy.close();
});
