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
});
