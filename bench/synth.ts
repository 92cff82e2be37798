// Measures the cost of recording where each construct was declared: the same app runs with and without the recording,
// in turns. Also compares the synthesis of a large app with plain cdktf. Plain cdktf collects stack traces, which
// `steward synth` turns off. Plain cdktf does none of the work of Steward's constructs.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { median, print } from "./figures";

const PROJECTS = 200;
const ROUNDS = 9;
const LARGE = 20_000;
const LARGE_ROUNDS = 3;
const MOST = 0.65;

type Mode = "with" | "without" | "steward" | "cdktf";

const [mode, outdir] = process.argv.slice(2) as [Mode | undefined, string];
if (mode === "with" || mode === "without") synthesize(mode === "with", outdir);
else if (mode !== undefined) synthesizeLarge(mode === "cdktf", outdir);
else compare();

/** Synthesizes the app. Like a user's process, it does everything from loading the packages to writing the files. */
function synthesize(records: boolean, folder: string): void {
  const { App, TerraformStack }: typeof import("cdktf") = require("cdktf");
  const { AccessLevel, ProjectSettings, StewardProvider }: typeof import("cdktf-provider-steward") =
    require("cdktf-provider-steward");
  // Compiled code calls the function through its module, so the bench can replace it there.
  if (!records) require("../dist/constructs/position/caller").callerPosition = () => undefined;
  const app = new App({ outdir: folder });
  const stack = new TerraformStack(app, "estate");
  new StewardProvider(stack, "steward");
  const deployAccessLevels = [{ accessLevel: AccessLevel.MAINTAINER }];
  for (let index = 0; index < PROJECTS; index += 1)
    new ProjectSettings(stack, `project-${index}`, {
      project: `acme/project-${index}`,
      inboundEnabled: true,
      allowlist: { targetProjects: ["acme/deploy-tools"] },
      protectedEnvironments: { production: { deployAccessLevels }, staging: { deployAccessLevels } },
      invitations: { "ada@example.com": { accessLevel: AccessLevel.DEVELOPER } },
    });
  app.synth();
  tellUsage();
}

function synthesizeLarge(isOwn: boolean, folder: string): void {
  const { App, TerraformStack }: typeof import("cdktf") = require("cdktf");
  const { AccessLevel, ProtectedEnvironment, StewardProvider }: typeof import("cdktf-provider-steward") =
    require("cdktf-provider-steward");
  let Provider: new (scope: InstanceType<typeof TerraformStack>, id: string) => unknown = StewardProvider;
  if (isOwn) {
    // Uses the generated class, which does not have the checks of Steward's class.
    Provider = require("../dist/constructs/generated").StewardProvider;
    const positions = require("../dist/constructs/position") as typeof import("../src/constructs/position");
    for (const name of ["toTerraform", "terraformMetaArguments"])
      Reflect.deleteProperty(positions.PositionedResource.prototype, name);
    require("../dist/constructs/position/caller").callerPosition = () => undefined;
  }
  const app = new App({ outdir: folder });
  const stack = new TerraformStack(app, "estate");
  new Provider(stack, "steward");
  for (let index = 0; index < LARGE; index += 1)
    new ProtectedEnvironment(stack, `environment-${index}`, {
      project: "acme/web",
      name: `env-${index}`,
      deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }],
    });
  app.synth();
  tellUsage();
}

function tellUsage(): void {
  const { user, system } = process.cpuUsage();
  process.stdout.write(String((user + system) / 1000));
}

function compare(): void {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-synth-"));
  const measure = (how: Mode) => {
    // Sets the variable that `steward synth` sets for an app.
    const env = { ...process.env, CDKTN_DISABLE_CREATION_STACK: String(how !== "cdktf") };
    const words = ["--import", "tsx", __filename, how, folder];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { env, encoding: "utf8" });
    if (status !== 0) throw new Error(`The synthesis "${how}" ends with ${status}:\n${stderr}`);
    return Number(stdout);
  };
  try {
    const rounds = Array.from({ length: ROUNDS }, () => [measure("without"), measure("with")] as const);
    const name = `synthesis of ${PROJECTS * 5} resources, time of the processor`;
    print({ name, value: median(rounds.map(([, recorded]) => recorded)), unit: "ms" });
    print({
      name: "with recorded positions to one without",
      value: median(rounds.map(([without, recorded]) => recorded / without)),
      unit: "×",
      atMost: 1.05,
    });
    const large = Array.from({ length: LARGE_ROUNDS }, () => [measure("cdktf"), measure("steward")] as const);
    print({
      name: `synthesis of ${LARGE} resources`,
      value: median(large.map(([, ours]) => ours)),
      unit: "ms",
    });
    print({ name: "  cdktf alone, with its traces", value: median(large.map(([own]) => own)), unit: "ms" });
    const ratio = median(large.map(([own, ours]) => ours / own));
    print({ name: "  to cdktf alone", value: ratio, unit: "×", atMost: MOST });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
