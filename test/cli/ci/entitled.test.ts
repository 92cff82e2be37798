import { type Service, startService } from "cdktf-provider-steward/testing";
import { type Client, createClient } from "../../../src/api";
import type { Approval, ApprovedChange } from "../../../src/cli/approval/file";
import { type GivenApproval, judge } from "../../../src/cli/ci/entitled";
import type { Approvers } from "../../../src/cli/policy/approvers";

const PEOPLE = [
  "owner",
  "maintainer",
  "developer",
  "above",
  "shared",
  "former",
  "blocked",
  "expired",
  "stranger",
];
const USERS = [...PEOPLE, "robot", "commenter", "security"];
const idOf = (name: string): number => USERS.indexOf(name) + 10;

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await startService({
    recordRequests: true,
    fixture: {
      users: USERS.map((username) => ({
        username,
        id: idOf(username),
        bot: username === "robot",
        state: username === "blocked" ? ("blocked" as const) : ("active" as const),
        ...(username === "commenter" && { token: "comment-token-1" }),
      })),
      groups: [
        {
          path: "acme",
          members: [
            { user: "above", role: "maintainer" },
            { user: "commenter", role: "guest" },
          ],
        },
        {
          path: "acme/web",
          members: [
            { user: "owner", role: "owner" },
            { user: "former", role: "maintainer" },
            { user: "blocked", role: "owner" },
            { user: "expired", role: "owner", expires_at: "2020-01-01" },
          ],
        },
        { path: "partners", members: [{ user: "shared", role: "maintainer" }] },
        { path: "guards", visibility: "public", members: [{ user: "security", role: "guest" }] },
        { path: "guards/night", visibility: "public", members: [{ user: "stranger", role: "guest" }] },
      ],
      projects: [
        {
          path: "acme/web/shop",
          shared_with: [{ group: "partners", role: "maintainer" }],
          members: [
            { user: "maintainer", role: "maintainer" },
            { user: "developer", role: "developer" },
            { user: "robot", role: "owner" },
          ],
        },
        ...["a", "b", "c"].map((name) => ({ path: `acme/web/${name}` })),
      ],
    },
  });
  client = createClient({ env: {}, baseUrl: service.url, token: "comment-token-1", allowPlainHttp: true });
  const left = `${service.url}/api/v4/groups/acme%2Fweb/members/${idOf("former")}`;
  await fetch(left, { method: "DELETE", headers: { "PRIVATE-TOKEN": service.adminToken } });
});
afterAll(async () => {
  await client.close();
  await service.close();
});

const SETTING: ApprovedChange = {
  service: "",
  stack: null,
  address: "steward_job_token_scope.limit",
  type: "steward_job_token_scope",
  in: "project acme/web/shop",
  id: "1",
  action: "update",
  provider: "registry.steward.example/steward/steward",
  before: { inbound_enabled: true },
  after: { inbound_enabled: false },
  access: [],
};

const invitation = (level: number, before: number | null = null, more: object = {}): ApprovedChange => ({
  ...SETTING,
  address: "steward_project_invitation.ada",
  type: "steward_project_invitation",
  action: before === null ? "create" : "update",
  before: before === null ? null : { email: "ada@example.com", access_level: before },
  after: { email: "ada@example.com", access_level: level, ...more },
});

const approvalOf = (changes: readonly ApprovedChange[], approvers?: Approvers): Approval => ({
  format_version: "2.0",
  commit: "a".repeat(40),
  policies: null,
  approvals: 1,
  ...(approvers && { approvers }),
  changes: changes.map((change) => ({ ...change, service: change.service || service.url })),
});

const by = (name: string, more: Partial<GivenApproval> = {}): GivenApproval => ({
  user: idOf(name),
  username: name,
  isEarly: false,
  isAuthor: false,
  isPusher: false,
  isOwn: false,
  ...more,
});

const verdict = (given: readonly GivenApproval[], approval: Approval, atLeast = 1) =>
  judge(client, service.url, approval, given, atLeast);

/** Returns the people who can approve without a second person. */
async function enough(approval: Approval): Promise<string[]> {
  const verdicts = await Promise.all(
    USERS.map(async (name) => ({ name, ...(await verdict([by(name)], approval)) })),
  );
  return verdicts.filter(({ isMet }) => isMet).map(({ name }) => name);
}

describe("approvals of a plan", () => {
  const SENIORS = ["owner", "maintainer", "above", "shared"];
  it.each<[string, ApprovedChange, readonly string[]]>([
    ["a setting", SETTING, SENIORS],
    ["an invitation of a Developer", invitation(30), ["owner", "maintainer", "developer", "above", "shared"]],
    ["an invitation of an Owner", invitation(50), ["owner"]],
    ["an invitation with a custom role", invitation(30, null, { member_role_id: 7 }), SENIORS],
    [
      "an invitation at a level that is not known",
      invitation(30, null, { access_level: { $unknown: true } }),
      ["owner"],
    ],
    ["a promotion to Owner", invitation(50, 30), ["owner"]],
    ["a demotion", invitation(10, 30), SENIORS],
    [
      "a removal",
      { ...invitation(30), action: "delete", before: { access_level: 10 }, after: null },
      SENIORS,
    ],
    ["a replacement", { ...invitation(50), action: "replace", before: { access_level: 50 } }, ["owner"]],
    ["a change in a group", { ...SETTING, in: "group acme/web" }, ["owner", "above"]],
    ["a change whose place is not known", { ...SETTING, in: undefined }, []],
    ["a change on another service", { ...SETTING, service: "https://other.example" }, []],
  ])(
    "an approval of %s counts only from active human members with the required level",
    async (_what, change, expected) => {
      expect(await enough(approvalOf([change]))).toEqual(expected);
    },
  );

  it("if two projects change, each project needs an approval from one of its members", async () => {
    const approval = approvalOf([SETTING, { ...SETTING, address: "other.a", in: "project acme/web/a" }]);
    expect(await enough(approval)).toEqual(["owner", "above"]);
    expect(await verdict([by("maintainer"), by("owner")], approval)).toMatchObject({ isMet: true });
    expect(await verdict([by("maintainer"), by("owner")], approval, 2)).toMatchObject({ isMet: false });
  });

  it.each<[string, Partial<GivenApproval>, Partial<Approvers>, boolean]>([
    ["before the last push", { isEarly: true }, { allow_author: true, allow_committers: true }, false],
    ["of the token's user", { isOwn: true }, { allow_author: true, allow_committers: true }, false],
    ["of the author", { isAuthor: true, isPusher: true }, {}, false],
    [
      "of the author, with allow_committers",
      { isAuthor: true, isPusher: true },
      { allow_committers: true },
      false,
    ],
    ["of the author, with allow_author", { isAuthor: true, isPusher: true }, { allow_author: true }, true],
    ["of a pusher", { isPusher: true }, {}, false],
    ["of a pusher, with allow_author", { isPusher: true }, { allow_author: true }, false],
    ["of a pusher, with allow_committers", { isPusher: true }, { allow_committers: true }, true],
  ])("an approval %s (%j, policy %j) counts: %s", async (_what, given, policy, isMet) => {
    const approval = approvalOf([SETTING], { people: 1, ...policy });
    expect(await verdict([by("owner", given)], approval)).toMatchObject({ isMet });
  });

  it("if no policy lists a bot as an approver, the bot's approval does not count", async () => {
    const named = { people: 1, bots: ["@Robot"] };
    expect(await verdict([by("robot")], approvalOf([SETTING], named))).toMatchObject({ isMet: true });
    const other = { people: 1, bots: ["@maintainer"] };
    expect(await verdict([by("robot")], approvalOf([SETTING], other))).toMatchObject({
      isMet: false,
      lines: expect.arrayContaining([expect.stringContaining("a bot, and no policy names it")]),
    });
  });

  it("if a policy lists approvers, approvals of other members do not count", async () => {
    const elsewhere = { ...SETTING, service: "https://other.example" };
    const named = { people: 1, named: ["@guards", "@maintainer"] };
    expect(await enough(approvalOf([elsewhere], named))).toEqual(["maintainer", "security"]);
    const sub = { people: 1, named: ["@guards/night"] };
    expect(await enough(approvalOf([SETTING], sub))).toEqual(["stranger", "security"]);
  });

  it("if a violated rule lists approvers, the plan also needs the approval of one of them", async () => {
    const rules = [{ rule: "limits", people: 1, named: ["@guards"] }];
    const approval = approvalOf([SETTING], { people: 1, rules });
    expect(await enough(approval)).toEqual([]);
    expect(await verdict([by("security")], approval)).toMatchObject({ isMet: false });
    expect(await verdict([by("security"), by("maintainer")], approval)).toMatchObject({ isMet: true });
  });

  it("for each approval that does not count, the check prints the reason", async () => {
    const given = [by("developer"), by("blocked"), by("stranger"), by("owner", { isEarly: true })];
    expect((await verdict(given, approvalOf([SETTING]))).lines).toEqual([
      "1 approval is needed from Maintainer or above of project acme/web/shop, and 0 approvals count.",
      "The approval of developer does not count: the person is Developer of project acme/web/shop, and Maintainer is needed.",
      "The approval of blocked does not count: the user is blocked.",
      "The approval of stranger does not count: STEWARD_COMMENT_TOKEN sees no active membership of the person in project acme/web/shop.",
      "The approval of owner does not count: it is older than the last push, or than the digest in the comment; approve again.",
    ]);
  });

  it("if three projects of one group change, Steward requests the approver's membership once, for the group", async () => {
    const changes = ["a", "b", "c"].map((name) => ({
      ...SETTING,
      address: `scope.${name}`,
      in: `project acme/web/${name}`,
    }));
    const before = service.requests.all.length;
    expect(await verdict([by("owner")], approvalOf(changes))).toMatchObject({ isMet: true });
    expect(service.requests.all.slice(before).map(({ url }) => url)).toEqual([
      `/api/v4/users/${idOf("owner")}`,
      `/api/v4/groups/acme%2Fweb/members/all/${idOf("owner")}`,
    ]);
  });

  it("if the service refuses to return a membership, the check of approvals fails", async () => {
    service.faults.add({ method: "GET", route: "/groups/:id/members/all/:user_id", status: 403 });
    await expect(verdict([by("owner")], approvalOf([SETTING]))).rejects.toMatchObject({ code: "forbidden" });
    service.faults.clear();
  });
});
