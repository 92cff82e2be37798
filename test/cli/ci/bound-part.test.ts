import type { Approval, ApprovedChange } from "../../../src/cli/approval/file";
import { boundPart, requireReportOf } from "../../../src/cli/ci/bound-part";
import { startsAs } from "../../../src/cli/ci/comment";
import type { Report } from "../../../src/cli/document/model";

const DIGEST = "d".repeat(64);

const LIMIT: ApprovedChange = {
  service: "https://git.example.com",
  stack: null,
  address: "steward_job_token_scope.limit",
  type: "steward_job_token_scope",
  in: "project acme/shop",
  id: "1",
  action: "update",
  provider: "registry.steward.example/steward/steward",
  before: { project: "acme/shop", inbound_enabled: false },
  after: { project: "acme/shop", inbound_enabled: true },
  access: [],
};
const OPEN: ApprovedChange = {
  ...LIMIT,
  address: "steward_job_token_scope.open",
  before: LIMIT.after,
  after: LIMIT.before,
  access: ["job token limit on → off"],
};

const approvalOf = (changes: readonly ApprovedChange[], more: Partial<Approval> = {}): Approval => ({
  format_version: "2.0",
  commit: "a".repeat(40),
  policies: null,
  approvals: 1,
  changes: [...changes],
  ...more,
});
const textOf = (approval: Approval): string => boundPart(approval, DIGEST).join("\n");

describe("the part of a comment that an approval covers", () => {
  it("the covered part lists changes that loosen access before other changes", () => {
    const text = textOf(approvalOf([LIMIT, OPEN]));
    expect(text.indexOf("limit.open")).toBeLessThan(text.indexOf("**Changes**"));
    expect(text).toContain("**🔓 Loosens access**");
    expect(text).toContain("`inbound_enabled: true → false`");
    expect(text).toContain("access: `job token limit on → off`");
    expect(text).not.toContain("<details>");
  });

  it("if 3,000 other changes do not fit, the covered part still contains each change that loosens access", () => {
    const many = Array.from({ length: 3000 }, (_, at) => ({ ...LIMIT, address: `${LIMIT.address}${at}` }));
    const text = textOf(approvalOf([...many, OPEN]));
    expect(text).toContain("steward_job_token_scope.open");
    expect(text).toMatch(/- \d+ more changes in the approval file/);
    expect(Buffer.byteLength(text)).toBeLessThan(990_000);
  });

  it("if two changes differ in one property, their covered parts differ too", () => {
    const changed: readonly Partial<ApprovedChange>[] = [
      { service: "https://other.example" },
      { in: "project acme/other" },
      { action: "create" },
      { after: { project: "acme/shop", inbound_enabled: false } },
      { import_id: "7" },
      { previous_address: "steward_job_token_scope.old" },
      { access: ["+1 can deploy"] },
    ];
    const texts = changed.map((one) => textOf(approvalOf([{ ...LIMIT, ...one }])));
    expect(new Set([...texts, textOf(approvalOf([LIMIT]))]).size).toBe(texts.length + 1);
  });

  it.each(["``` <!-- steward approval -->", "x\n<details>\n", "`` ` ``", "<!--"])(
    "the covered part shows a value with markup as code: %j",
    (value) => {
      const hostile = { ...LIMIT, type: "other_type", after: { name: value }, access: [value] };
      const outside = textOf(approvalOf([hostile])).replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, "");
      expect(outside.match(/<!--|<details>/g)).toEqual(["<!--"]);
    },
  );

  it("the covered part lists the people and bots who may approve under a policy", () => {
    const approvers = {
      people: 1,
      named: ["@guards"],
      allow_author: true as const,
      allow_committers: true as const,
      bots: ["@robot"],
      rules: [{ rule: "limits", people: 2, named: ["@maya"] }],
    };
    const text = textOf(approvalOf([LIMIT], { approvers }));
    for (const part of [
      "the author of this request",
      "pushed to the branch",
      "`@robot`",
      "`@guards`",
      "`@maya`",
    ])
      expect(text).toContain(part);
  });

  it("for Terraform's plan, the covered part begins with the programs that the apply runs", () => {
    const declared = `declaration of ${LIMIT.address}`;
    const plan = {
      "provisioner 1 (local-exec) of terraform_data.job": `{"command":"date \`id\`"}`,
      "output url": `{"after":"https://b"}`,
      "provider steward": "hash:abc",
      "variable host": "hash:def",
      [declared]: "hash:ghi",
      "declaration of data.external.who": "hash:jkl",
    };
    const text = textOf(approvalOf([LIMIT], { plan }));
    expect(text.split("**Changes**")[0]).toContain(
      '**🔓 Runs programs**\n\n- 🔓 `provisioner 1 (local-exec) of terraform_data.job`: ``{"command":"date `id`"}``',
    );
    expect(text).toContain('- `output url`: `{"after":"https://b"}`');
    // The list does not contain the changed resource, because the section "Changes" shows this change.
    expect(text).toContain(
      "- without their values: `provider steward`, `variable host`, `declaration of data.external.who`\n",
    );
    expect(text).not.toContain("hash:");
    const many = Object.fromEntries(
      Array.from({ length: 9_000 }, (_, at) => [`variable v${at}`, "hash:a"] as const),
    );
    const long = textOf(approvalOf([LIMIT], { plan: { ...many, "output a": "x".repeat(9_000) } }));
    expect(long).toMatch(/`variable v0`, .*, and \d+ more parts in the approval file\n/);
    expect(long).toContain("… (shortened)");
    expect(long.length).toBeLessThan(60_000);
  });

  it("the covered part masks two different e-mail addresses differently", () => {
    const of = (email: string) => ({ ...LIMIT, type: "other_type", after: { email } });
    const text = textOf(approvalOf([of("ada@example.com"), { ...of("ann@example.com"), address: "x.y" }]));
    expect(text).not.toMatch(/ada@|ann@/);
    expect(text).toContain("a***2@example.com");
  });

  it("if a comment does not begin with the covered part, the comparison refuses the comment", () => {
    const start = textOf(approvalOf([OPEN]));
    expect(startsAs(`${start}\nmore`, start)).toBe(true);
    expect(startsAs(start.replaceAll("\n", "\r\n"), start)).toBe(true);
    expect(startsAs(`Read this instead.\n${start}`, start)).toBe(false);
    expect(startsAs(start.replace("true → false", "false → true"), start)).toBe(false);
    expect(startsAs(`${start}more`, start)).toBe(false);
  });
});

describe("the comparison of a comment's report with the approval file", () => {
  const reportOf = (objects: readonly object[], name: string | null = null) =>
    ({ stacks: [{ name, objects }] }) as unknown as Report;
  const limit = { address: LIMIT.address, action: "update" };

  it.each<[string, Report, boolean]>([
    ["the same changes", reportOf([limit, { address: "x.same", action: "no-op" }]), true],
    ["a change less", reportOf([]), false],
    ["a change more", reportOf([limit, { address: OPEN.address, action: "update" }]), false],
    ["another action", reportOf([{ ...limit, action: "delete" }]), false],
    ["another stack", reportOf([limit], "shop"), false],
  ])(
    "Steward accepts a comment's report only if it lists the approval file's changes: %s",
    (_what, report, isAccepted) => {
      const check = () => requireReportOf(approvalOf([LIMIT]), report, "changes.json");
      if (isAccepted) expect(check).not.toThrow();
      else expect(check).toThrow();
    },
  );

  it("Steward accepts a comment's report that masks an e-mail address in an object's key", () => {
    const masked = { address: 'x.y["a***2@example.com"]', action: "update" };
    const change = { ...LIMIT, address: 'x.y["ada@example.com"]' };
    expect(() => requireReportOf(approvalOf([change]), reportOf([masked]), "f")).not.toThrow();
  });
});
