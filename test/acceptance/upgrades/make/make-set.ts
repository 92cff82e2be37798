import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import { ownIdentity } from "../../../../src/files/process-identity";
import { programFor } from "../../../support/capabilities";
import { MOMENTS, type Moment } from "../../kills/proxy";
import { after, before, COMPANY, platform, shop } from "./configurations";
import { makeAdopted, makeEstate, makeSpellings } from "./make-estate";
import { type Ended, Workshop } from "./workshop";

// This program writes the files of a release. The tests of every later release read these files. Usage: npm run build &&
// npx tsx test/acceptance/upgrades/make/make-set.ts test/fixtures/NAME [MAIN.JS]

const BUILT = path.join(__dirname, "../../../../dist/cli/main.js");
const CONFIG = ["--config", "."];
const ONE_BY_ONE = ["--auto-approve", "--parallelism", "1", ...CONFIG];

/** The writes in an apply of `after` during which a run is killed. The key is the purpose of the write. */
const KILLED: Readonly<Record<string, { readonly write: RegExp; readonly moments: readonly Moment[] }>> = {
  create: { write: /^POST .*\/rules$/, moments: MOMENTS },
  update: { write: /^PUT .*\/staging$/, moments: MOMENTS },
  delete: { write: /^DELETE .*\/legacy$/, moments: MOMENTS },
  "replacement-first-half": { write: /^POST .*\/protected_environments$/, moments: [MOMENTS[1]] },
  "replacement-second-half": { write: /^DELETE .*\/blue$/, moments: [MOMENTS[1]] },
  "set-after-one-entry": { write: /^POST .*\/allowlist$/, moments: [MOMENTS[1]] },
  invitation: { write: /^POST .*\/invitations$/, moments: [MOMENTS[1]] },
};

const LEFT = [
  "main.tf.json",
  "terraform.tfstate",
  "terraform.tfstate.journal",
  ".terraform.tfstate.lock.info",
];

/**
 * Runs one release, and writes the files of this release into a folder.
 *
 * @param isMade selects the killed runs of the set by the names of their folders; all runs if omitted
 */
export async function makeSet(
  target: string,
  program = BUILT,
  isMade: (name: string) => boolean = () => true,
): Promise<void> {
  mkdirSync(target, { recursive: true });
  writeFileSync(path.join(target, "company.json"), `${JSON.stringify(COMPANY, undefined, 2)}\n`);
  const inWorkshop = async (name: string, work: (workshop: Workshop, folder: string) => Promise<void>) => {
    const workshop = await Workshop.open(program);
    const folder = path.join(target, name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await work(workshop, folder).finally(() => workshop.close());
  };
  await inWorkshop("whole", makeWhole);
  const terraform = programFor("terraform");
  if (terraform !== undefined)
    await inWorkshop("of-terraform", (...given) => makeOfTerraform(terraform, ...given));
  await inWorkshop("estate", makeEstate);
  await inWorkshop("adopted", makeAdopted);
  await inWorkshop("spellings", async (workshop, folder) => {
    const apply = terraform === undefined ? undefined : await terraformIn(terraform, workshop);
    await makeSpellings(apply, workshop, folder);
  });
  await inWorkshop("saved-plan", makeSavedPlan);
  for (const [name, { write, moments }] of Object.entries(KILLED)) {
    for (const moment of moments) {
      const folder = [name, ...moment.split(" ")].join("-");
      if (!isMade(folder)) continue;
      const make = () => inWorkshop(`killed/${folder}`, (...given) => makeKilled(write, moment, ...given));
      await make();
      // If the kill was too slow, the save of the state had already begun. The set needs a journal from before the save, so
      // the run is repeated.
      for (let again = 0; again < 20 && isSavingIn(path.join(target, "killed", folder), moment); again++)
        await make();
    }
  }
  await inWorkshop("unsettled", makeUnsettled);
  await inWorkshop("journal-over-http", makeJournalOverHttp);
  makeNeutral(target);
}

/** Returns whether the journal shows a begun save, although the run should have ended before its save. */
function isSavingIn(folder: string, moment: Moment): boolean {
  if (moment !== "between answer and save") return false;
  const [, afterEnd = ""] = readFileSync(path.join(folder, "terraform.tfstate.journal"), "utf8").split(
    '"kind":"ended"',
  );
  return afterEnd.includes('"kind":"saving"');
}

/** Writes two stacks. The service refused a delete in one of these stacks, so its state has a deposed object. */
async function makeWhole(workshop: Workshop, folder: string): Promise<void> {
  workshop.write("platform/main.tf.json", platform("blue"));
  await workshop.succeed(["apply", ...ONE_BY_ONE], "platform");
  await deposing(workshop, () => workshop.steward(["apply", ...ONE_BY_ONE], "platform"));
  workshop.write("shop/main.tf.json", shop);
  await workshop.succeed(["apply", ...ONE_BY_ONE], "shop");
  for (const stack of ["platform", "shop"]) {
    workshop.write(
      `${stack}/planned.json`,
      plannedIn(await workshop.succeed(["plan", "--json", ...CONFIG], stack)),
    );
  }
  const names = ["main.tf.json", "terraform.tfstate", "planned.json"];
  workshop.keep(
    ["platform", "shop"].flatMap((stack) => names.map((name) => path.join(stack, name))),
    folder,
  );
}

/** Makes a mirror of the release's provider, and returns a function that runs Terraform with this mirror. */
async function mirrored(terraform: string, workshop: Workshop) {
  await workshop.succeed(["mirror", "mirror"]);
  const env = {
    TF_CLI_CONFIG_FILE: path.join(workshop.folder, "mirror/steward.tfrc"),
    CHECKPOINT_DISABLE: "1",
  };
  return (below: string, ...words: readonly string[]) => workshop.run(terraform, words, below, env);
}

/** Initializes and applies a folder with Terraform. */
async function terraformIn(terraform: string, workshop: Workshop): Promise<(below: string) => Promise<void>> {
  const run = await mirrored(terraform, workshop);
  return async (below) => {
    for (const words of [["init"], ["apply", "-auto-approve", "-parallelism=1", "-no-color"]]) {
      const { code, text } = await run(below, ...words);
      if (code !== 0) throw new Error(text);
    }
  };
}

/** Makes the stack whose state Terraform keeps. */
async function makeOfTerraform(terraform: string, workshop: Workshop, folder: string): Promise<void> {
  const runIn = await mirrored(terraform, workshop);
  const run = (...words: readonly string[]) => runIn("platform", ...words);
  const apply = () => run("apply", "-auto-approve", "-parallelism=1", "-no-color");
  workshop.write("platform/main.tf.json", platform("blue"));
  for (const { code, text } of [await run("init"), await apply()]) if (code !== 0) throw new Error(text);
  await deposing(workshop, apply);
  const { text } = await run("plan", "-json");
  workshop.write("platform/planned.json", plannedIn(text));
  workshop.keep(["platform/main.tf.json", "platform/terraform.tfstate", "platform/planned.json"], folder);
}

async function deposing(workshop: Workshop, apply: () => Promise<Ended>): Promise<void> {
  workshop.write("platform/main.tf.json", platform("green"));
  workshop.proxy.mishap = (isWrite, url) => (isWrite && url.endsWith("/blue") ? "403" : undefined);
  const { code, text } = await apply();
  workshop.proxy.mishap = () => undefined;
  if (code !== 1) throw new Error(`The old environment was to stay:\n${text}`);
}

/** Returns the changes of a plan, from the plan's events. */
function plannedIn(text: string): readonly string[] {
  const events = text
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as PlanEvent);
  return events.flatMap(({ type, change }) =>
    type === "planned_change" ? [`${change!.action} ${change!.resource.addr}`] : [],
  );
}

interface PlanEvent {
  readonly type: string;
  readonly change?: { readonly action: string; readonly resource: { readonly addr: string } };
}

async function applyBefore(workshop: Workshop): Promise<void> {
  workshop.write("main.tf.json", before);
  await workshop.succeed(["apply", ...ONE_BY_ONE]);
  workshop.write("main.tf.json", after);
}

async function makeSavedPlan(workshop: Workshop, folder: string): Promise<void> {
  await applyBefore(workshop);
  await workshop.succeed(["plan", "--out", "saved.plan", ...CONFIG]);
  workshop.keep(["main.tf.json", "terraform.tfstate", "saved.plan"], folder);
}

/** Writes the files that a killed run leaves. @param write the write during which the run is killed */
async function makeKilled(write: RegExp, moment: Moment, workshop: Workshop, folder: string): Promise<void> {
  await applyBefore(workshop);
  await killed(workshop, write, moment);
  workshop.keep(LEFT, folder);
}

async function killed(workshop: Workshop, write: RegExp, moment: Moment): Promise<void> {
  const { code, text } = await workshop.steward(["apply", ...ONE_BY_ONE], ".", { at: 1, write, moment });
  if (code !== null) throw new Error(`The run was to be killed ${moment}:\n${text}`);
}

/** Makes a journal that still has a pending change after a second run, because that run could not read the object. */
async function makeUnsettled(workshop: Workshop, folder: string): Promise<void> {
  await applyBefore(workshop);
  await killed(workshop, KILLED["create"]!.write, "between send and answer");
  workshop.proxy.mishap = (_isWrite, url) => (url.includes("/registry/") ? "403" : undefined);
  const { code, text } = await workshop.steward(["plan", ...CONFIG]);
  if (code !== 1) throw new Error(`One object was not to be settled:\n${text}`);
  workshop.keep(LEFT.slice(0, 3), folder);
}

/** Makes a state and its journal in remote state storage. */
async function makeJournalOverHttp(workshop: Workshop, folder: string): Promise<void> {
  const address = `${workshop.service.url}/api/v4/projects/105/terraform/state/production`;
  const backend = {
    http: {
      address,
      lock_address: `${address}/lock`,
      unlock_address: `${address}/lock`,
      lock_method: "POST",
      unlock_method: "DELETE",
      username: "root",
    },
  };
  const kept = (configuration: typeof before | typeof after) => ({
    ...configuration,
    terraform: { ...configuration.terraform, backend },
  });
  workshop.write("main.tf.json", kept(before));
  await workshop.succeed(["apply", ...ONE_BY_ONE]);
  workshop.write("main.tf.json", kept(after));
  await killed(workshop, KILLED["create"]!.write, "between send and answer");
  const headers = { "private-token": workshop.service.adminToken };
  for (const [place, name] of [
    [address, "state.json"],
    [`${address}-journal`, "journal.json"],
  ] as const) {
    const answer = await fetch(place, { headers });
    if (!answer.ok) throw new Error(`${place}: ${answer.status}`);
    writeFileSync(path.join(workshop.folder, name), await answer.text());
  }
  workshop.write("main.tf.json", after);
  workshop.keep(["main.tf.json", "state.json", "journal.json"], folder);
}

/** The values that replace the user and the machine in the lock of the set. */
const NEUTRAL = { Who: "ada@build-1", Path: "terraform.tfstate" };
const NO_REALM = "00000000-0000-0000-0000-000000000000 pid:[1]";

/** Matches the folder of a workshop. A state contains this path if its configuration reads another state. */
const WORKSHOP = new RegExp(`${tmpdir()}/upgrade-set-\\w+`, "g");

/** Replaces the names of this machine and its folders. Fails if a file still contains one of these names. */
function makeNeutral(target: string): void {
  const { host, realm } = ownIdentity();
  for (const name of readdirSync(target, { recursive: true, encoding: "utf8" })) {
    if (name.endsWith(".lock.info")) {
      const file = path.join(target, name);
      const lock = JSON.parse(readFileSync(file, "utf8")) as { Process: object };
      const neutral = { ...lock.Process, host: "build-1", ...(realm !== undefined && { realm: NO_REALM }) };
      writeFileSync(file, JSON.stringify({ ...lock, ...NEUTRAL, Process: neutral }));
    }
  }
  for (const name of readdirSync(target, { recursive: true, encoding: "utf8" })) {
    const file = path.join(target, name);
    if (!statSync(file).isFile()) continue;
    const written = readFileSync(file, "latin1");
    const text = written.replaceAll(WORKSHOP, "/home/ada/estate");
    if (text !== written) writeFileSync(file, text, "latin1");
    const isNamed = new RegExp(`(^|["@\\s])${host}(["\\s:,]|$)`, "m").test(text);
    if (isNamed || text.includes(tmpdir()) || text.includes(userInfo().homedir))
      throw new Error(`${file} names this machine or one of its folders.`);
  }
}

if (require.main === module) {
  const [target, program] = process.argv.slice(2);
  if (target === undefined)
    throw new Error("Name the folder of the set, such as test/fixtures/2026-11-first-version.");
  makeSet(path.resolve(target), program).catch((problem: unknown) => {
    process.stderr.write(`${problem instanceof Error ? problem.message : String(problem)}\n`);
    process.exitCode = 1;
  });
}
