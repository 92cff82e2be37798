import type { ValueObject } from "../../src/schema";
import { HttpProxy } from "../support/http-proxy";
import { Host } from "./support/host";
import { FIXTURE, PROJECT, providerConfig, TOKEN, useWorld } from "./support/world";

// Releases word it in many ways, with many statuses, that something is there already: all of them mean `already_exists`.

const world = useWorld();
let proxy: HttpProxy | undefined;
afterEach(() => proxy?.close());

const level = [{ access_level: 40 }];
const at = `/projects/${PROJECT.web}`;
const CASES: readonly (readonly [type: string, config: ValueObject, path: string, body: object])[] = [
  [
    "steward_protected_environment",
    { project: "acme/web", name: "production", deploy_access_levels: level },
    `${at}/protected_environments`,
    { name: "production", deploy_access_levels: level },
  ],
  [
    "steward_container_protection_rule",
    {
      project: "acme/web",
      repository_path_pattern: "acme/web/*",
      minimum_access_level_for_push: "owner",
    },
    `${at}/registry/protection/repository/rules`,
    { repository_path_pattern: "acme/web/*", minimum_access_level_for_push: "admin" },
  ],
  [
    "steward_job_token_allowlist_project",
    { project: "acme/web", target_project: "acme/tools" },
    `${at}/job_token_scope/allowlist`,
    { target_project_id: PROJECT.tools },
  ],
];
const WORDS = [
  [409, "Protected environment 'production' already exists"],
  [400, "400 Bad request - production is already protected"],
  [422, "is already protected"],
  [422, "Repository path pattern has already been taken"],
  [400, "Target project is already in the job token scope"],
  [409, "has been taken"],
] as const;

describe.each(CASES)("%s", (type, config, path, body) => {
  test.each(WORDS)("%d %j means that it is there already", async (status, message) => {
    const host = new Host(world(), type, TOKEN.maintainer);
    const plan = await host.plan(undefined, config);
    await world().http("POST", path, body);
    proxy = new HttpProxy(world().service.url, async (passage) =>
      passage.method === "POST" ? passage.refuse(status, message) : passage.answer(await passage.forward()),
    );
    const run = world().provider.configure(
      providerConfig(world().provider, { base_url: await proxy.start(), token: TOKEN.maintainer }),
      {},
    ).provider!;
    const { state, diagnostics } = await host.apply(plan, run);
    expect(state).toBeUndefined();
    expect(diagnostics).toMatchObject([{ severity: "error", code: "already_exists" }]);
    await run.close();
  });
});

describe.each(["project", "group"] as const)("steward_%s_invitation", (kind) => {
  const observed = useWorld(FIXTURE, undefined, "observed");
  const [config, path] =
    kind === "project"
      ? [{ project: "acme/web" }, `${at}/invitations`]
      : [{ group: "acme/platform" }, "/groups/12/invitations"];

  test.each([
    "The member's email address has already been taken",
    "Invite email has already been taken",
    "Member already been invited",
  ])(
    "%j means that the address is invited already, where it was a failure of unknown kind",
    async (reason) => {
      const host = new Host(observed(), `steward_${kind}_invitation`);
      const plan = await host.plan(undefined, { ...config, email: "ada@example.com", access_level: 30 });
      // Somebody else invites between plan and apply, in the very moment after the apply looked.
      const invite = () =>
        observed().http("POST", path, { email: "ada@example.com", access_level: 30 }, TOKEN.owner);
      proxy = new HttpProxy(observed().service.url, async (passage) => {
        if (passage.method !== "POST") return passage.answer(await passage.forward());
        await invite();
        const body = JSON.stringify({ status: "error", message: { "ada@example.com": reason } });
        passage.answer({
          status: 201,
          headers: { "content-type": "application/json" },
          body: Buffer.from(body),
        });
      });
      const run = observed().provider.configure(
        providerConfig(observed().provider, { base_url: await proxy.start(), token: TOKEN.maintainer }),
        {},
      ).provider!;
      const { diagnostics } = await host.apply(plan, run);
      expect(diagnostics).toMatchObject([{ severity: "error", code: "already_exists" }]);
      await run.close();
    },
  );
});
