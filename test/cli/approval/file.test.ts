import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Approval, digestOf, formatApproval, readApproval } from "../../../src/cli/approval/file";

const CHANGE: Approval["changes"][number] = {
  service: "https://git.example.com/api/v4",
  stack: null,
  in: "project acme/web",
  id: "1",
  address: "steward_job_token_scope.limit",
  type: "steward_job_token_scope",
  action: "delete",
  provider: "registry.steward.example/steward/steward",
  before: { inbound_enabled: true },
  after: null,
  stays_on_service: true,
  access: [],
};
const APPROVAL: Approval = {
  format_version: "2.0",
  commit: "a".repeat(40),
  policies: null,
  approvals: 1,
  changes: [CHANGE, { ...CHANGE, address: "steward_job_token_scope.other" }],
};

/**
 * Reads an approval from a text, with the digest of the same text. People who saw this text would approve it with this
 * digest.
 */
async function readText(text: string): Promise<Approval> {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-approval-"));
  writeFileSync(path.join(folder, "changes.json"), text);
  const terminal = { env: {}, folder, readInput: () => Promise.reject(new Error("not read")) };
  return readApproval("changes.json", digestOf(text), terminal).finally(() =>
    rmSync(folder, { recursive: true }),
  );
}

const { changes, ...rest } = APPROVAL;
const reordered = JSON.stringify({ changes, ...rest }, undefined, 2);

describe("an approval file", () => {
  it("an approval is unchanged after Steward writes it to a file and reads the file", async () => {
    expect(await readText(formatApproval(APPROVAL))).toEqual(APPROVAL);
  });

  it("if an earlier release wrote the approval file, the error shows the command for a new file", async () => {
    await expect(
      readText(formatApproval({ ...APPROVAL, format_version: "1.0" as "2.0" })),
    ).rejects.toMatchObject({
      diagnostics: [
        {
          detail:
            "changes.json has the file format 1.0, but this release of Steward reads only 2.0. Nothing was sent. Create a new file with `steward plan --out-approval FILE`.",
        },
      ],
    });
  });

  it.each<[string, string]>([
    [
      "a repeated key",
      formatApproval(APPROVAL).replace('"approvals": 1', '"approvals": 2,\n  "approvals": 1'),
    ],
    ["no approval needed", formatApproval({ ...APPROVAL, approvals: 0 })],
    ["half an approval needed", formatApproval({ ...APPROVAL, approvals: 1.5 })],
    ["an unknown version", formatApproval({ ...APPROVAL, format_version: "3.0" as "2.0" })],
    [
      "an unknown action",
      formatApproval({ ...APPROVAL, changes: [{ ...CHANGE, action: "no" as "delete" }] }),
    ],
    ["an unknown key", formatApproval({ ...APPROVAL, more: true } as Approval)],
    ["two changes of one object", formatApproval({ ...APPROVAL, changes: [CHANGE, { ...CHANGE, id: "2" }] })],
    ["another order of keys", reordered],
    ["other white space", JSON.stringify(APPROVAL)],
  ])("Steward refuses an approval file with %s", async (_what, text) => {
    await expect(readText(text)).rejects.toMatchObject({ diagnostics: [{ code: "approval_invalid" }] });
  });
});
