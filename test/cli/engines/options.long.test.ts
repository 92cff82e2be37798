import { existsSync } from "node:fs";
import path from "node:path";
import { describeWith } from "../../support/capabilities";
import { openPlace, type Place, TOKENS } from "../support/place";
import { Overheard } from "./support";

// Each test starts processes; a loaded machine takes its time.
jest.setTimeout(120_000);

const modules = path.join(__dirname, "..", "..", "..", "node_modules");

/** A variable of each, and one that only the second stack has. */
const APP = `
const { App, TerraformStack } = require("cdktf");
const app = new App();
const stack = (name, project, needs) => {
  const one = new TerraformStack(app, name);
  if (needs) one.addDependency(needs);
  one.addOverride("terraform.required_providers.steward.source", "registry.steward.example/steward/steward");
  one.addOverride("provider.steward", [{}]);
  one.addOverride("variable.enabled", { type: "bool" });
  one.addOverride("resource.steward_job_token_scope." + name, { project, inbound_enabled: "\${var.enabled}" });
  return one;
};
const web = stack("web", "acme/shop");
const docs = stack("docs", "acme/docs", web);
docs.addOverride("variable.note", { default: "none" });
docs.addOverride("output.note", { value: "\${var.note}" });
app.synth();
`;

describeWith("engine", "options are passed on to the program, or refused by name", (program) => {
  let place: Place;
  let overheard: Overheard;
  beforeAll(async () => {
    place = await openPlace();
    overheard = new Overheard(program);
    place.write("app.js", APP);
    place.write("cdktf.json", { language: "typescript", app: `${process.execPath} app.js` });
    place.write("values.tfvars.json", { enabled: false });
  });
  afterAll(async () => {
    overheard.remove();
    await place.close();
  });
  beforeEach(() => overheard.forget());

  const run = (...args: string[]) =>
    place.run([...args, "--engine", path.basename(program)], { PATH: overheard.folder, NODE_PATH: modules });

  test("all of a plan's, in its words", async () => {
    const more = ["--target", "steward_job_token_scope.web", "--parallelism", "3", "--lock-timeout", "1m30s"];
    const files = ["--var-file", "values.tfvars.json", "--var", "enabled=true", "--state", "mine.tfstate"];
    const { code } = await run("plan", "--stack", "web", "--destroy", ...more, ...files);
    expect(code).toBe(0);
    const [words, ...others] = overheard.calls();
    expect(others).toEqual([]);
    expect(words!.split(" ")).toEqual([
      "plan",
      "-detailed-exitcode",
      "-input=false",
      "-no-color",
      "-destroy",
      "-target=steward_job_token_scope.web",
      `-var-file=${path.join(place.folder, "values.tfvars.json")}`,
      "-var=enabled=true",
      "-parallelism=3",
      "-lock-timeout=90000ms",
      `-state=${path.join(place.folder, "mine.tfstate")}`,
    ]);
  });

  test("the stacks come in order; a variable of another stack is left out; the sum comes last", async () => {
    const variables = ["--var", "enabled=false", "--var", "note=hello"];
    const { code, out } = await run("apply", "--auto-approve", "--json", ...variables);
    expect(code).toBe(0);
    const lines = out.trimEnd().split("\n");
    const summaries = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === "change_summary");
    expect(summaries.map(({ stack, changes }) => [stack, changes.operation, changes.add])).toEqual([
      ["web", "plan", 1],
      ["web", "apply", 1],
      ["docs", "plan", 1],
      ["docs", "apply", 1],
      [undefined, "apply", 2],
    ]);
    expect(lines.at(-1)).toBe(JSON.stringify(summaries.at(-1)));
    expect(overheard.calls().map((words) => words.includes("note="))).toEqual([false, true]);
    expect((await run("output", "note", "--raw", "--stack", "docs")).out).toBe("hello");
  });

  test("plan --out saves the program's own plan of one stack, and apply takes it", async () => {
    const several = await run("plan", "--out", "saved.plan", "--var", "enabled=true");
    expect(several.err).toContain("a plan file takes one. Choose it with --stack NAME.");
    const saved = await run("plan", "--out", "saved.plan", "--stack", "web", "--var", "enabled=true");
    expect(saved.code).toBe(0);
    const engine = path.basename(program);
    expect(saved.out).toContain(`steward apply saved.plan --engine ${engine} --stack web`);
    const { code, out } = await run("apply", "saved.plan", "--stack", "web");
    expect(code).toBe(0);
    expect(out).toContain("Apply complete! Resources: 0 added, 1 changed, 0 destroyed.");
  });

  test("the work folder is that of cdktf, and is initialized once for a configuration", async () => {
    expect(existsSync(path.join(place.folder, "cdktf.out/stacks/web/.terraform"))).toBe(true);
    await run("plan", "--stack", "web", "--var", "enabled=false");
    expect(overheard.inits()).toEqual([]);
  });

  test("the program gets neither token nor a way to ask, and does not call home", async () => {
    await run("plan", "--stack", "web", "--var", "enabled=false");
    const environment = overheard.environment();
    expect(environment).toContain("TF_REATTACH_PROVIDERS=");
    expect(environment).toContain("CHECKPOINT_DISABLE=1");
    expect(environment).not.toContain(TOKENS.maintainer);
  });

  test("a stack is passed over when one before it failed", async () => {
    const { code, err } = await run("apply", "--auto-approve", "--var", "enabled=perhaps");
    expect(code).toBe(1);
    expect(err).toContain('The stack "docs" was passed over, because the stack "web" has to come before it');
  });

  test("--fail-fast, reports, coverage, and --state beside another backend, are refused", async () => {
    expect((await run("plan", "--report", "plan.md")).err).toContain("--report can't be given here");
    expect((await run("drift", "--coverage")).err).toContain("--coverage can't be given here");
    expect((await run("plan", "--fail-fast")).err).toContain("--fail-fast can't be given here");
    place.write("remote/main.tf.json", {
      terraform: { backend: { http: { address: "http://127.0.0.1:9" } } },
    });
    const { code, err } = await run("plan", "--config", "remote", "--state", "mine.tfstate");
    expect(code).toBe(1);
    expect(err).toContain(
      '--state can\'t be given here: the configuration keeps its state in the backend "http"',
    );
  });

  test("what the program can't initialize is told in its words", async () => {
    place.write("broken/main.tf.json", { module: { far: { source: "./nowhere" } } });
    const { code, err } = await run("plan", "--config", "broken");
    expect(code).toBe(1);
    expect(err).toContain("can't initialize the stack");
    expect(err).toContain("nowhere");
  });
});

test("a program that is not on the PATH is named, with where to get it", async () => {
  const place = await openPlace();
  for (const [engine, name] of [
    ["terraform", "Terraform"],
    ["tofu", "OpenTofu"],
  ] as const) {
    const { code, err } = await place.run(["plan", "--config", ".", "--engine", engine], {
      PATH: place.folder,
    });
    expect(code).toBe(1);
    expect(err).toContain(`Install ${name}`);
  }
  await place.close();
});
