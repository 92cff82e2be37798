import { type Service, startService } from "cdktf-provider-steward/testing";
import { type ReattachServer, serveReattach } from "../../../src/plugin";
import { createProvider } from "../../../src/provider";
import { describeWith } from "../../support/capabilities";
import { LIVE_COMPANY, MAINTAINER, OWNER } from "../../support/live-company";
import { Workspace } from "../support/workspace";

jest.setTimeout(180_000);

const NAMES = [
  "release.v1.json",
  "..",
  "review/feature",
  "on a ship",
  "100% %2F",
  "a#b",
  "a?b=c&d;e+f",
  "münchen",
  "\u{1f680}",
];

describeWith("engine", "the habits of the live platform", (engine) => {
  let service: Service;
  let reattached: ReattachServer;
  let workspace: Workspace;
  beforeAll(async () => {
    reattached = await serveReattach(createProvider());
  });
  beforeEach(async () => {
    service = await startService({ compat: "observed", fixture: LIVE_COMPANY });
    workspace = new Workspace(engine, reattached.env);
    as(MAINTAINER);
  });
  afterEach(async () => {
    workspace.remove();
    await service.close();
  });
  afterAll(() => reattached.close());

  const as = (token: string) =>
    workspace.write(
      "provider.tf",
      `provider "steward" {\n  base_url = "${service.url}"\n  token = "${token}"\n}\n`,
    );
  const declare = (resource: object) => workspace.write("main.tf.json", JSON.stringify({ resource }));

  test("a Maintainer changes Pages, and a primary domain is the same as a host and as a URL", async () => {
    const pages = (primary_domain: string, force_https = false) =>
      declare({ steward_pages_settings: { web: { project: "acme/web", force_https, primary_domain } } });
    pages("docs.example.com");
    await workspace.apply();
    expect((await workspace.state())["steward_pages_settings.web"]).toMatchObject({
      primary_domain: "docs.example.com",
    });
    expect((await workspace.plan()).changes).toBe(false);
    pages("https://docs.example.com");
    expect((await workspace.plan()).changes).toBe(false);
    pages("https://docs.example.com", true);
    await workspace.apply();
    expect((await workspace.plan()).changes).toBe(false);
    pages("", true);
    await workspace.apply();
    expect((await workspace.plan()).changes).toBe(false);
    await workspace.succeed("destroy", "-auto-approve");
  });

  test("environments of any name are created, changed, found drifted, and destroyed", async () => {
    const environments = (...levels: readonly number[]) =>
      declare({
        steward_protected_environment: Object.fromEntries(
          NAMES.map((name, index) => [
            `e${index}`,
            {
              project: "acme/web",
              name,
              deploy_access_levels: levels.map((access_level) => ({ access_level })),
            },
          ]),
        ),
      });
    environments(40);
    await workspace.apply();
    expect((await workspace.plan()).changes).toBe(false);
    environments(30, 40);
    await workspace.apply();
    expect((await workspace.plan()).changes).toBe(false);
    const removed = await fetch(`${service.url}/api/v4/projects/1/protected_environments/100%25%20%252F`, {
      method: "DELETE",
      headers: { "private-token": OWNER },
    });
    expect(removed.status).toBe(204);
    expect(await workspace.actions()).toEqual({ "steward_protected_environment.e4": ["create"] });
    await workspace.apply();
    await workspace.succeed("destroy", "-auto-approve");
    const left = await fetch(`${service.url}/api/v4/projects/1/protected_environments`, {
      headers: { "private-token": OWNER },
    });
    expect(await left.json()).toEqual([]);
  });

  test("an entry whose project the token can't find stays: the apply names it, and the next plan warns", async () => {
    as(OWNER);
    declare({
      steward_job_token_allowlist_project: { vault: { project: "acme/web", target_project: "secret/vault" } },
    });
    await workspace.apply();
    as(MAINTAINER);
    workspace.write("main.tf.json", "{}");
    const failed = await workspace.run(["apply", "-auto-approve"]);
    expect(failed.code).toBe(1);
    expect(failed.output.replaceAll(/\s*│\s*/g, " ")).toContain("still lists the project secret/vault (77)");
    const next = await workspace.run(["plan"]);
    expect(next.code).toBe(0);
    expect(next.output).toContain("Warning: Entries that an apply could not remove");
    as(OWNER);
    await workspace.apply();
    expect((await workspace.plan()).changes).toBe(false);
  });
});
