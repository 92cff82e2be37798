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
  "ci judge",
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
  test("steward without a command prints the help and fails", async () => {
    const { code, out, err } = await steward();
    expect(code).toBe(1);
    expect(out).toBe("");
    for (const command of COMMANDS) expect(err).toContain(`\n  ${command.split(" ")[0]} `);
  });

  test("this test's list contains every command of the program", () => {
    expect(REGISTERED.map(({ line }) => line.name).sort()).toEqual([...COMMANDS].sort());
  });

  test.each(COMMANDS)("%s --help has an example", async (command) => {
    const { code, out, err } = await steward(...command.split(" "), "--help");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(new RegExp(`^Usage: steward ${command} `));
    expect(out).toMatch(new RegExp(`Examples:\n  .*steward ${command}`));
  });

  test("the help lists the options of a command before shared options", async () => {
    const { out } = await steward("show", "--help");
    const [own, stacks] = ["\nOptions:\n", "\nStacks and state:\n"].map((text) => out.indexOf(text));
    expect(own).toBeGreaterThan(0);
    expect(own! < stacks!).toBe(true);
    expect(out.slice(own, stacks)).not.toContain("--config");
  });

  test("the help of plan first shows ten common options, and then groups of other options", async () => {
    const { out } = await steward("plan", "--help");
    const headings = [...out.matchAll(/^(\S.*:)$/gm)].map(([heading]) => heading);
    expect(headings).toEqual([
      "Common options:",
      "Select objects:",
      "Policies and limits:",
      "Output:",
      "Import and Terraform:",
      "App, state and speed:",
      "Options:",
      "Examples:",
    ]);
    const common = out.slice(out.indexOf("Common options:"), out.indexOf("Select objects:"));
    expect(common.match(/^ {2}--/gm)).toHaveLength(10);
  });

  test("steward --help and the --help-all of plan, apply and state rm describe TF_HTTP_JOURNAL_ADDRESS", async () => {
    const shown = async (...args: readonly string[]) => (await steward(...args)).out;
    for (const args of [
      ["--help"],
      ["plan", "--help-all"],
      ["apply", "--help-all"],
      ["state", "rm", "--help-all"],
    ])
      expect(await shown(...args)).toContain("TF_HTTP_JOURNAL_ADDRESS");
    for (const args of [
      ["plan", "--help"],
      ["version", "--help-all"],
    ])
      expect(await shown(...args)).not.toContain("TF_HTTP_JOURNAL_ADDRESS");
  });

  test("plan --help-all prints every option of plan except hidden ones", async () => {
    const [short, long] = await Promise.all(
      ["--help", "--help-all"].map((option) => steward("plan", option)),
    );
    const names = ({ out }: { out: string }) =>
      [...out.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, name]) => name!);
    expect(long!.code).toBe(0);
    expect(names(short!)).not.toContain("--parallelism");
    const { line } = REGISTERED.find((one) => one.line.name === "plan")!;
    const declared = Object.values(line.options ?? {})
      .flat()
      .filter((one) => !one.isHidden)
      .map(({ flags }) => flags.split(" ")[0]!);
    expect(names(long!).toSorted()).toEqual([...declared, "--help", "--help-all"].toSorted());
  });

  test("ci apply --help lists --approvals, which apply --help leaves out", async () => {
    const [ofBranch, ofApply] = await Promise.all(
      [["ci", "apply"], ["apply"]].map((command) => steward(...command, "--help")),
    );
    expect(ofBranch!.out).toMatch(/^Common options:\n {2}--approvals <n> /m);
    expect(ofApply!.out).not.toMatch(/^ {2}--approvals /m);
  });

  test.each([
    ["show", "terraform show -json"],
    ["output", "terraform output -json"],
    ["validate", "one JSON object"],
    ["state list", "JSON array"],
    ["report", "exit with 1 if the plan"],
    ["destroy", "delete without asking for approval"],
  ])("%s --help describes a shared option in other words than other commands: %s", async (command, words) => {
    const { out } = await steward(...command.split(" "), "--help");
    expect(out.replace(/\s+/g, " ")).toContain(words);
  });
});
