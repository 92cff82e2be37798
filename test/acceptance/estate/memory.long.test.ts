import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Service, startService } from "cdktf-provider-steward/testing";
import { steward } from "../../../bench/support/command";
import { fillAllowlist } from "../../../bench/support/crowded-allowlist";
import { StackFolder } from "../../../bench/support/stack-folder";
import { runs } from "../../support/capabilities";
import { numbers, type Resources } from "./support";

// The test measures the peak memory of the command for an allowlist with 50,000 entries. The operating system reports the
// peak memory.

jest.setTimeout(120_000);

const ENTRIES = 50_000;
const MOST_MEGABYTES = 300;

const one: Resources = {
  steward_job_token_allowlist_project: { this: { project: "1", target_project: String(ENTRIES) } },
};
const whole: Resources = {
  steward_job_token_allowlist: {
    this: { project: "1", target_projects: numbers(ENTRIES).map((index) => String(index + 2)) },
  },
};

const folder = mkdtempSync(path.join(tmpdir(), "steward-memory-"));
const setup = { data: path.join(folder, "service.db"), adminToken: "memory-administrator-token" };
let service: Service;
beforeAll(async () => {
  await (await startService(setup)).close();
  fillAllowlist(setup.data, ENTRIES);
  service = await startService(setup);
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

test.each(
  [
    ["one of them", one, `1:${ENTRIES}`],
    ["all of them as one resource", whole, "1"],
  ].slice(0, runs(1, 2)) as [string, Resources, string][],
)(
  "with an allowlist of 50,000 entries, the plan of %s uses less than 300 MB of memory",
  async (_, resources, id) => {
    const stack = new StackFolder();
    const env = { ...process.env, STEWARD_BASE_URL: service.url, STEWARD_TOKEN: service.adminToken };
    try {
      stack.declare(resources);
      await steward(["import", ...stack.words, `${Object.keys(resources)[0]}.this`, id], env);
      const { megabytes } = await steward(["plan", ...stack.words], env);
      expect(megabytes).toBeLessThan(MOST_MEGABYTES);
    } finally {
      stack.remove();
    }
  },
);
