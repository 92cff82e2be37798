// What recording where each construct is declared adds to a synthesis: the same app with and without it, in turns.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { median, print } from "./figures";

const PROJECTS = 200;
const ROUNDS = 9;

const [mode, outdir] = process.argv.slice(2);
if (mode === "with" || mode === "without") synthesize(mode === "with", outdir!);
else compare();

/** The app: what a user's process does, from loading the packages to the written files. */
function synthesize(records: boolean, folder: string): void {
  const { App, TerraformStack }: typeof import("cdktf") = require("cdktf");
  const { AccessLevel, ProjectSettings, StewardProvider }: typeof import("cdktf-provider-steward") =
    require("cdktf-provider-steward");
  // Compiled code calls the function through its module, which makes it possible to leave it out.
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
  const { user, system } = process.cpuUsage();
  process.stdout.write(String((user + system) / 1000));
}

function compare(): void {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-synth-"));
  const measure = (how: "with" | "without") =>
    Number(spawnSync(process.execPath, ["--import", "tsx", __filename, how, folder]).stdout);
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
  } finally {
    rmSync(folder, { recursive: true });
  }
}
