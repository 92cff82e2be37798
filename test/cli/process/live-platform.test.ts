import { LIVE_COMPANY, MAINTAINER, OWNER } from "../../support/live-company";
import { usePlace } from "../support/place";

const place = usePlace("each", LIVE_COMPANY, "observed");

const declare = (resource: object) =>
  place.write("main.tf.json", {
    terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
    resource,
  });
const run = (token: string, ...args: readonly string[]) =>
  place.run([...args, "--config", "."], { STEWARD_TOKEN: token });
const flat = (text: string) => text.replaceAll(/\s*│\s*/g, " ");

test("a Maintainer can change Pages on the live platform: steward refused it before sending anything", async () => {
  const pages = { project: "acme/web", force_https: false, primary_domain: "docs.example.com" };
  declare({ steward_pages_settings: { web: pages } });
  expect((await run(MAINTAINER, "apply", "--auto-approve")).code).toBe(0);
  expect((await run(MAINTAINER, "plan", "--detailed-exitcode")).code).toBe(0);
  expect((await run(MAINTAINER, "drift")).code).toBe(0);
  declare({ steward_pages_settings: { web: { ...pages, primary_domain: "https://docs.example.com" } } });
  expect((await run(MAINTAINER, "plan", "--detailed-exitcode")).code).toBe(0);
  expect(JSON.parse(place.read("terraform.tfstate"))).toHaveProperty(
    "resources.0.instances.0.attributes.primary_domain",
    "docs.example.com",
  );
});

test("an entry that can't be removed fails the apply, and the next plan warns and exits with 0", async () => {
  declare({
    steward_job_token_allowlist_project: { vault: { project: "acme/web", target_project: "secret/vault" } },
  });
  expect((await run(OWNER, "apply", "--auto-approve")).code).toBe(0);
  declare({});
  const failed = await run(MAINTAINER, "apply", "--auto-approve");
  expect(failed.code).toBe(1);
  expect(flat(failed.err)).toContain("still lists the project secret/vault (77)");
  const next = await run(MAINTAINER, "plan");
  expect(next.code).toBe(0);
  expect(next.err).toContain("Warning: Entries that an apply could not remove");
  expect(next.out).toContain("1 to destroy");
  expect((await run(OWNER, "apply", "--auto-approve")).code).toBe(0);
  expect((await run(OWNER, "plan", "--detailed-exitcode")).code).toBe(0);
});

test("an allowlist entry that can't be removed fails the apply and stays in the state", async () => {
  const allow = (...target_projects: readonly string[]) =>
    declare({ steward_job_token_allowlist: { all: { project: "acme/web", target_projects } } });
  allow("secret/vault");
  expect((await run(OWNER, "apply", "--auto-approve")).code).toBe(0);
  allow();
  const failed = await run(MAINTAINER, "apply", "--auto-approve");
  expect(failed.code).toBe(1);
  expect(flat(failed.err)).toContain("still lists the project secret/vault (77)");
  const next = await run(MAINTAINER, "plan");
  expect(next.code).toBe(0);
  expect(next.err).toContain("Warning: Entries that an apply could not remove");
});
