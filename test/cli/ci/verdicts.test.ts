import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Approval } from "../../../src/cli/approval/file";
import { copySynthesized } from "../../../src/cli/ci/synthesized";
import { differencesOfApprovals } from "../../../src/cli/ci/verdicts";

const CHANGE: Approval["changes"][number] = {
  service: "https://git.example.com",
  stack: "web",
  address: "steward_job_token_scope.limit",
  type: "steward_job_token_scope",
  id: "1",
  action: "update",
  provider: "registry.steward.example/steward/steward",
  before: { inbound_enabled: false },
  after: { inbound_enabled: true },
  access: [],
};
const JUDGED: Approval = {
  format_version: "2.0",
  commit: "a".repeat(40),
  policies: "b".repeat(64),
  approvals: 2,
  violations: [{ rule: "two-approvals", what: "It changes a setting." }],
  waivers: [{ rule: "limit-stays", project: "acme/shop", reason: "Ada tries it", accepted: ["x"] }],
  receivers: { services: ["https://git.example.com"], states: [] },
  rule_changes: [],
  changes: [CHANGE],
};

describe("the comparison of an approval file with the judged plan", () => {
  it("if both plans of a stack failed for different reasons, the comparison finds no difference", () => {
    const failed = (why: string): Approval => ({ ...JUDGED, unplanned: [{ stack: "docs", why }] });
    expect(differencesOfApprovals(failed("/a/main.ts: it failed"), failed("/b/main.ts: it failed"))).toEqual(
      [],
    );
  });

  const FORGED: Readonly<Record<string, readonly [Partial<Approval>, string]>> = {
    "fewer approvals": [{ approvals: 1 }, "approvals: 1 in the file, but 2 is right"],
    "no violation": [{ violations: undefined }, "violations: none in the file, but ["],
    "another waiver": [{ waivers: [{ ...JUDGED.waivers![0]!, reason: "all agreed" }] }, "waivers: ["],
    "another approver": [{ approvers: { people: 1, allow_author: true } }, "approvers: {"],
    "another receiver": [{ receivers: { services: [], states: [] } }, "receivers: {"],
    "other policies": [{ policies: null }, "policies: null in the file"],
    "other rules": [{ rule_changes: [{ what: "weakens it" }] }, "rule_changes: ["],
    "another commit": [{ commit: null }, "commit: null in the file"],
    "a stack that failed": [{ unplanned: [{ stack: "docs", why: "no" }] }, "stacks without a plan: "],
    "another value": [
      { changes: [{ ...CHANGE, after: {} }] },
      "stack web: steward_job_token_scope.limit: differs",
    ],
    "no change": [{ changes: [] }, "stack web: steward_job_token_scope.limit: not in the file"],
    "another change": [
      { changes: [CHANGE, { ...CHANGE, stack: "docs" }] },
      "stack docs: steward_job_token_scope.limit: only in the file",
    ],
  };

  it.each(Object.entries(FORGED))(
    "the comparison reports a forged approval file with %s",
    (_, [forged, text]) => {
      expect(differencesOfApprovals({ ...JUDGED, ...forged } as Approval, JUDGED)).toEqual([
        expect.stringContaining(text),
      ]);
    },
  );

  it("the reported differences contain no e-mail address", () => {
    const changes = [{ ...CHANGE, address: 'steward_project_invitation.x["ada@example.com"]' }];
    expect(differencesOfApprovals({ ...JUDGED, changes }, JUDGED).join()).not.toContain("ada@example.com");
  });
});

describe("a synthesized app in the artifacts of a merge request", () => {
  let place: string;
  beforeEach(() => {
    place = mkdtempSync(path.join(tmpdir(), "steward-synthesized-"));
  });
  afterEach(() => rmSync(place, { recursive: true, force: true }));

  const copy = (folder: string) => {
    const manifest = JSON.stringify({ stacks: { web: { workingDirectory: folder } } });
    const read = async (name: string) => Buffer.from(name.endsWith("manifest.json") ? manifest : "{}");
    return copySynthesized(read, "cdktf.out", path.join(place, "a/b/out"));
  };

  it("Steward copies the manifest and the stacks of a synthesized app from the artifacts", async () => {
    await copy("stacks/web");
    const files = readdirSync(place, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    expect(files.map(({ name }) => name).sort()).toEqual(["cdk.tf.json", "manifest.json"]);
  });

  it.each(["../out", "stacks/..", "stacks/.", "stacks/a/b", "/etc", "stacks\\..\\x", "stacks/", ""])(
    "if the manifest contains %j as the folder of a stack, Steward copies no file",
    async (folder) => {
      await expect(copy(folder)).rejects.toThrow("is not the manifest of a synthesized app");
      expect(readdirSync(place)).toEqual([]);
    },
  );
});
