import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type FixtureInput, type Service, startService } from "../../src/service";
import { runInProcess as steward } from "../cli/support/in-process";
import { openPlace, type Place, TOKENS } from "../cli/support/place";
import type { Ended } from "../cli/support/process";
import { ROOT } from "./support/own-project";

jest.setTimeout(120_000);

const EXAMPLES = path.join(ROOT, "examples");

/** The stack that an example's app synthesizes, in a folder of its own. */
function synthesized(example: string, stack: string, folder: string): string {
  process.env["CDKTF_OUTDIR"] = path.join(folder, "out");
  jest.isolateModules(() => require(path.join(EXAMPLES, example, "main.ts")));
  delete process.env["CDKTF_OUTDIR"];
  return path.join(folder, "out", "stacks", stack);
}

describe.each([
  ["many-projects/for-each", "group-policy", 14],
  ["many-projects/loop", "estate", 8],
])("examples/%s", (example, stack, objects) => {
  let service: Service;
  let folder: string;
  let config: string;
  beforeAll(async () => {
    service = await startService({ fixture: path.join(EXAMPLES, "quickstart", "fixture.yaml") });
    folder = mkdtempSync(path.join(tmpdir(), "steward-many-"));
    config = synthesized(example, stack, folder);
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });
  const run = (...words: readonly string[]): Promise<Ended> =>
    steward([...words, "--config", config, "--state", "terraform.tfstate"], {
      folder,
      env: { STEWARD_BASE_URL: service.url, STEWARD_TOKEN: "quickstart-owner-token" },
    });

  test("an app over many projects is applied to all of them, and has nothing to change then", async () => {
    const applied = await run("apply", "--auto-approve");
    expect(applied.out).toContain(`Apply complete! Resources: ${objects} added, 0 changed, 0 destroyed.`);
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  if (stack === "group-policy")
    test("an archived project is refused alone, and drift passes it over", async () => {
      await byAdministrator("PUT", "acme%2Fdocs", { archived: true });
      const { code, out, err } = await run("apply", "--auto-approve");
      expect(code).toBe(1);
      expect(out).toContain("Apply incomplete, see the errors. Resources: 0 added, 0 changed, 1 destroyed.");
      const [, command] = /^│ {3}steward (state rm .*)$/m.exec(err)!;
      expect(command).toBe(`state rm 'steward_job_token_allowlist_group.platform["4"]'`);
      expect((await run("drift")).code).toBe(0);
      expect((await run("state", "rm", 'steward_job_token_allowlist_group.platform["4"]')).code).toBe(0);
      expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
    });

  async function byAdministrator(method: string, project: string, body: object): Promise<void> {
    const answer = await fetch(`${service.url}/api/v4/projects/${project}`, {
      method,
      headers: { "PRIVATE-TOKEN": service.adminToken, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
  }
});

const NAMES = Array.from({ length: 300 }, (_, index) => `p${String(index + 1).padStart(3, "0")}`);
const GONE = "p123";
const ARCHIVED = "p200";

/** 300 projects in a group of the maintainer's; of one nobody told the maintainer, and one is archived. */
const ESTATE: FixtureInput = {
  users: [{ username: "maya", token: TOKENS.maintainer }],
  groups: [{ path: "acme", members: [{ user: "maya", role: "maintainer" }] }, { path: "others" }],
  projects: NAMES.map((name) => ({
    path: name === GONE ? `others/${name}` : `acme/${name}`,
    archived: name === ARCHIVED,
    job_token_scope: { inbound_enabled: false },
  })),
};

describe("one broken project of 300", () => {
  let place: Place;
  beforeAll(async () => {
    place = await openPlace(ESTATE);
    place.write("main.tf.json", {
      terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
      resource: {
        steward_job_token_scope: {
          limit: {
            for_each: Object.fromEntries(
              NAMES.map((name) => [name, name === GONE ? `others/${name}` : `acme/${name}`]),
            ),
            project: "${each.value}",
            inbound_enabled: true,
          },
        },
      },
    });
  });
  afterAll(() => place.close());
  const limit = (name: string): string => `steward_job_token_scope.limit["${name}"]`;

  test("apply names a broken project, and the archived one; the others are done", async () => {
    const { code, out, err } = await place.run(["apply", "--auto-approve", "--config", "."]);
    expect(code).toBe(1);
    expect(out).toContain("Apply incomplete, see the errors. Resources: 298 added, 0 changed, 0 destroyed.");
    const named = [...err.matchAll(/with (steward_job_token_scope\.limit\["p\d+"\])/g)].map(
      ([, name]) => name,
    );
    expect(named.sort()).toEqual([limit(GONE), limit(ARCHIVED)]);
    expect(err).toContain("is archived: its settings can't be changed");
  });

  test("hides nothing from drift", async () => {
    await place.byHand("PATCH", "/projects/acme%2Fp007/job_token_scope", { enabled: false });
    const { code, out } = await place.run(["drift", "--config", "."]);
    expect(code).toBe(2);
    expect(out).toContain(`${limit("p007")} differs on the service`);
    expect(out).toContain("Drift: 1 changed, 0 vanished (298 objects checked).");
  });

  test("keeps its state and is named when its project is gone, and the others are told", async () => {
    const { service } = place;
    await fetch(`${service.url}/api/v4/projects/acme%2Fp050`, {
      method: "DELETE",
      headers: { "PRIVATE-TOKEN": service.adminToken },
    });
    const { code, out, err } = await place.run(["drift", "--config", "."]);
    expect(code).toBe(1);
    expect(out).toContain(
      "Drift: 1 changed, 0 vanished (297 objects checked). 1 object could not be checked.",
    );
    expect(err).toContain(`with ${limit("p050")}`);
  });
});
