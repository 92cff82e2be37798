import { writeExplained } from "../../../src/cli/views/explained";
import type { ExplainedSetting, ResourceChange } from "../../../src/engine";
import { fakeTerminal } from "../support/terminal";

const invitation = (number: number, level: number): ExplainedSetting => ({
  address: `steward_project_invitation.invitee-${number}`,
  type: "steward_project_invitation",
  attribute: "access_level",
  value: level,
  live: level,
  from: { position: "main.ts:7" },
  overrides: [],
});

const unchanged = ({ address, type }: ExplainedSetting): ResourceChange => ({
  address,
  mode: "managed",
  type,
  name: address.split(".")[1]!,
  provider: "registry.steward.example/steward/steward",
  action: "no-op",
  before: {},
  after: {},
  beforeSensitive: [],
  afterSensitive: [],
  replacePaths: [],
  attributes: {},
});

test("explain prints 250 invitations with equal settings as one entry", () => {
  const terminal = fakeTerminal();
  const settings = [
    invitation(0, 40),
    ...Array.from({ length: 250 }, (_, index) => invitation(index + 1, 30)),
  ];
  const objects = settings.map(unchanged);
  writeExplained("acme/web", [{ stack: "all", objects, settings }], [], terminal, {
    json: false,
    color: false,
  });
  expect(terminal.written.out).toBe(`project acme/web

  steward_project_invitation.invitee-0 (stack all)
    # is unchanged: as declared
    access_level = 40  # declared at main.ts:7

  250 objects steward_project_invitation (stack all)
    # is unchanged: as declared
    access_level = 30  # declared at main.ts:7
`);
});
