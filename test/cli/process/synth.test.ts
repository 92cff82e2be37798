import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { runInProcess as steward } from "../support/in-process";

const modules = path.join(__dirname, "..", "..", "..", "node_modules");

/** An app in plain JavaScript with two stacks, the second depending on the first. */
const APP = `
const { Annotations, App, TerraformOutput, TerraformStack } = require("cdktf");
const app = new App();
const web = new TerraformStack(app, "web");
const base = new TerraformStack(app, "base");
web.addDependency(base);
for (const stack of [web, base]) new TerraformOutput(stack, "context", { value: app.node.tryGetContext("flavour") });
if (process.env.ANNOTATE) Annotations.of(base)[process.env.ANNOTATE]("look here");
if (process.env.TF_VAR_x) throw new Error("variables are none of an app's business");
app.synth();
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "steward-synth-"));
  writeFileSync(path.join(folder, "app.js"), APP);
  writeFileSync(
    path.join(folder, "cdktf.json"),
    JSON.stringify({ language: "typescript", app: "node app.js", context: { flavour: "plain" } }),
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (args: readonly string[], env: Record<string, string> = {}) =>
  steward(args, { folder, env: { NODE_PATH: modules, ...env } });

describe("synth", () => {
  test("writes the layout of the cdktf CLI and lists the stacks in order", async () => {
    const { code, out, err } = await run(["synth"], { TF_VAR_x: "1" });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(
      `Synthesized 2 stacks into cdktf.out:\n  base: ${path.join("cdktf.out", "stacks", "base")}\n  web: ${path.join("cdktf.out", "stacks", "web")}\n`,
    );
    expect(readdirSync(path.join(folder, "cdktf.out")).sort()).toEqual(["manifest.json", "stacks"]);
    const stack = JSON.parse(
      readFileSync(path.join(folder, "cdktf.out", "stacks", "web", "cdk.tf.json"), "utf8"),
    ) as object;
    expect(stack).toMatchObject({
      output: { context: { value: "plain" } },
      terraform: { backend: { local: { path: path.join(folder, "terraform.web.tfstate") } } },
    });
  });

  test("writes to --output and removes obsolete stacks", async () => {
    expect((await run(["synth", "--output", "build"])).code).toBe(0);
    writeFileSync(path.join(folder, "app.js"), APP.replaceAll('"web"', '"site"'));
    expect((await run(["synth", "--output", "build"])).code).toBe(0);
    expect(readdirSync(path.join(folder, "build", "stacks")).sort()).toEqual(["base", "site"]);
  });

  test("synth does not follow links instead of stack folders", async () => {
    const elsewhere = path.join(folder, "elsewhere");
    mkdirSync(path.join(elsewhere, "mine"), { recursive: true });
    mkdirSync(path.join(folder, "cdktf.out"));
    symlinkSync(elsewhere, path.join(folder, "cdktf.out", "stacks"));
    await run(["synth"]);
    expect(readdirSync(elsewhere)).toContain("mine");
  });

  test("reports a folder in place of the manifest: this was an internal error", async () => {
    mkdirSync(path.join(folder, "cdktf.out", "manifest.json"), { recursive: true });
    const { code, err } = await run(["synth", "--app", "true"]);
    expect(code).toBe(1);
    expect(err).toContain("it is a folder, not a regular file");
  });

  test("shows annotations of constructs, and fails for errors among them", async () => {
    const warned = await run(["synth"], { ANNOTATE: "addWarning" });
    expect(warned.code).toBe(0);
    expect(warned.err).toContain("Warning: Warning from a construct");
    const refused = await run(["synth"], { ANNOTATE: "addError" });
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("construct base");
    expect(refused.err).toContain("look here");
  });

  test("shows the output of a failing app", async () => {
    const { code, err } = await run(["synth", "--app", "echo to stdout; echo to stderr >&2; exit 4"]);
    expect(code).toBe(1);
    expect(err).toContain("Error: The app failed");
    expect(err).toContain("with exit code 4");
    expect(err).toContain("to stdout");
    expect(err).toContain("to stderr");
  });

  test("reports an app that succeeds without writing stacks, even if older ones exist", async () => {
    expect((await run(["synth"])).code).toBe(0);
    const { code, err } = await run(["synth", "--app", "true"]);
    expect(code).toBe(1);
    expect(err).toContain("Error: Nothing synthesized");
    expect(existsSync(path.join(folder, "cdktf.out", "manifest.json"))).toBe(false);
  });

  test("without an app in cdktf.json says how to configure one", async () => {
    writeFileSync(path.join(folder, "cdktf.json"), "{}");
    expect((await run(["synth"])).err).toContain('has no "app"');
    writeFileSync(path.join(folder, "cdktf.json"), "{");
    expect((await run(["synth"])).err).toContain("Invalid app settings");
  });
});

describe("commands on an app's stacks", () => {
  test("process all stacks in order, or the selected ones", async () => {
    const all = await run(["apply", "--auto-approve"]);
    expect(all.code).toBe(0);
    expect([...all.out.matchAll(/^Stack (\w+)$/gm)].map(([, name]) => name)).toEqual(["base", "web"]);
    expect(existsSync(path.join(folder, "terraform.base.tfstate"))).toBe(true);
    const one = await run(["plan", "--stack", "web"]);
    expect(one.out).toBe("\nNo changes. Your infrastructure matches the configuration.\n");
    const both = await run(["destroy", "--auto-approve", "--stack", "base", "web"]);
    expect([...both.out.matchAll(/^Stack (\w+)$/gm)].map(([, name]) => name)).toEqual(["web", "base"]);
    expect((await run(["plan", "--stack", "nope"])).err).toContain("It has: base, web.");
    const ambiguous = await run(["output", "--json"]);
    expect(ambiguous.out).toContain("Choose one with --stack NAME");
    expect((await run(["output", "--raw", "--stack", "web", "context"])).err).toContain(
      'no output "context"',
    );
  });

  test("skip a stack if one of its dependencies failed", async () => {
    writeFileSync(path.join(folder, "terraform.base.tfstate"), "{");
    const { code, out, err } = await run(["apply", "--auto-approve"]);
    expect(code).toBe(1);
    expect(out).not.toContain("Apply complete");
    expect(err).toContain('The stack "web" was skipped because it depends on the stack "base"');
  });
});
