import { COMMANDS as REGISTERED } from "../../src/cli/commands";
import { run } from "../../src/cli/program";
import { fakeTerminal } from "./support/terminal";

const COMMANDS = [
  "init",
  "synth",
  "validate",
  "plan",
  "apply",
  "ci comment",
  "ci issues",
  "ci apply",
  "destroy",
  "drift",
  "history",
  "import",
  "adopt",
  "show",
  "output",
  "state list",
  "state show",
  "state rm",
  "state mv",
  "state pull",
  "state push",
  "state migrate",
  "state replace-provider",
  "state unlock",
  "report",
  "report merge",
  "schema",
  "snapshot",
  "serve",
  "exec",
  "explain",
  "mirror",
  "version",
  "completion",
];

async function steward(...argv: string[]) {
  const terminal = fakeTerminal();
  const code = await run(argv, terminal);
  return { code, ...terminal.written };
}

describe("the command line", () => {
  test("without a command prints the help and fails", async () => {
    const { code, out, err } = await steward();
    expect(code).toBe(1);
    expect(out).toBe("");
    for (const command of COMMANDS) expect(err).toContain(`\n  ${command.split(" ")[0]} `);
  });

  test("the command line has exactly these commands", () => {
    expect(REGISTERED.map(({ line }) => line.name).sort()).toEqual([...COMMANDS].sort());
  });

  test.each(COMMANDS)("%s --help has an example", async (command) => {
    const { code, out, err } = await steward(...command.split(" "), "--help");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(new RegExp(`^Usage: steward ${command} `));
    expect(out).toMatch(new RegExp(`Examples:\n  .*steward ${command}`));
  });

  test("the help lists the options of a command before those that many commands share", async () => {
    const { out } = await steward("plan", "--help");
    const [own, stacks, reports] = ["  --access ", "\nStacks and state:\n", "\nReports:\n"].map((text) =>
      out.indexOf(text),
    );
    expect(own).toBeGreaterThan(0);
    expect([own! < stacks!, stacks! < reports!]).toEqual([true, true]);
    expect(out.slice(own, stacks)).not.toContain("--config");
  });

  test.each([
    ["show", "terraform show -json"],
    ["output", "terraform output -json"],
    ["validate", "one JSON object"],
    ["state list", "JSON array"],
    ["report", "exit 1 when more objects"],
    ["destroy", "delete without asking for approval"],
  ])("%s --help describes shared options in its own words: %s", async (command, words) => {
    const { out } = await steward(...command.split(" "), "--help");
    expect(out.replace(/\s+/g, " ")).toContain(words);
  });

  test("state without a subcommand lists the subcommands and fails", async () => {
    const { code, out, err } = await steward("state");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^Usage: steward state /);
    for (const word of ["list", "show", "rm", "mv", "pull", "unlock"]) expect(err).toContain(`\n  ${word} `);
  });

  test.each([
    [["state", "lst"], "Unknown command", "Did you mean list?"],
    [["state", "rm"], "Missing argument", "address"],
    [["plam"], "Unknown command", "Did you mean plan?"],
    [["plan", "--stak", "a"], "Unknown option", "Did you mean --stack?"],
    [["plan", "-auto-approve"], "Unknown option", "Long options have two dashes: --auto-approve."],
    [["plan", "extra"], "Too many arguments", "Expected 0 arguments"],
    [["plan", "--state"], "Missing value of an option", "--state"],
    [["plan", "--lock-timeout", "soon"], "Invalid value of an option", "such as 10s"],
    [["plan", "--var", "x"], "Invalid value of an option", "NAME=VALUE"],
    [["plan", "--engine", "terraform"], "Unknown option", "`steward exec -- terraform plan`"],
    [["apply", "--engine=tofu", "--auto-approve"], "Unknown option", "`steward exec -- terraform plan`"],
    [["plan", "--engine", "embedded"], "Unknown option", "Omit --engine;"],
    [["plan", "-generate-config-out=x.tf"], "Unknown option", "`steward adopt PROJECT --out DIR` writes"],
    [["plan", "--generate-config-out", "x.tf"], "Unknown option", "terraform plan -generate-config-out=FILE"],
    [["plan", "--config", "a", "--stack", "b"], "Conflicting options", "--config and --stack"],
    [["plan", "--destroy", "--refresh-only"], "Conflicting options", "--destroy"],
    [["show", "a.tfstate", "--state", "b.tfstate"], "Conflicting options", "FILE and --state"],
    [["output", "--raw", "--json", "x"], "Conflicting options", "--raw and --json"],
    [["import", "a.b"], "Missing argument", "id"],
    [["output", "--raw", "--state", "a.tfstate"], "No state", "a.tfstate"],
  ])("%j is refused: %s", async (argv, summary, hint) => {
    const { code, out, err } = await steward(...argv);
    expect(code).toBe(1);
    expect(argv.includes("--json") ? out : err).toContain(`Error: ${summary}`);
    expect(out + err).toContain(hint);
  });

  test("with --json reports a usage error as an event on stdout", async () => {
    const { code, out, err } = await steward("plan", "--json", "--nope");
    expect({ code, err }).toEqual({ code: 1, err: "" });
    expect(JSON.parse(out)).toMatchObject({
      type: "diagnostic",
      diagnostic: { severity: "error", code: "invalid_arguments", summary: "Unknown option" },
    });
  });

  test.each(["apply", "destroy"])("%s without a terminal fails and names --auto-approve", async (command) => {
    const { code, out, err } = await steward(command);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("Error: Approval required");
    expect(err).toContain("--auto-approve");
  });

  test("without an app says where to run and which options help", async () => {
    const { code, err } = await steward("plan");
    expect(code).toBe(1);
    expect(err).toContain("Error: No app to synthesize");
    expect(err).toContain("--app");
    expect(err).toContain("--config");
  });
});
