import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { FixtureInput } from "cdktf-provider-steward/testing";
import fc from "fast-check";
import type { AdoptedFile } from "../../src/adopt";
import { linkPackages } from "../acceptance/support/own-project";
import { TOKENS } from "../adopt/groups/people";
import { randomWorlds } from "../adopt/support/random-world";
import { load } from "../adopt/support/synthesize";
import { openPlace, type Place } from "../cli/support/place";
import { useQuickApps } from "../support/apps/quick-apps";
import { runs, seed } from "../support/capabilities";

// The tests check that a clone of an app from `init --from` contains everything that its pipeline needs, except for the
// documented secrets.

jest.setTimeout(runs(120_000, 3_600_000));
useQuickApps();

/** Commits the files that git does not ignore, and clones them, as a pipeline does. */
function commitAndClone(folder: string, clone: string): void {
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: folder, stdio: "pipe" });
  git("init", "--quiet");
  git("add", "--all");
  git("-c", "user.name=Maya", "-c", "user.email=maya@example.com", "commit", "--quiet", "-m", "adopt");
  git("clone", "--quiet", ".", clone);
}

/** Runs the test of an app in this process, as `node --test` does. */
async function runOwnTest(folder: string): Promise<number> {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".ts"))
    .map((name): AdoptedFile => ({ path: name, text: readFileSync(path.join(folder, name), "utf8") }));
  const steps = { before: [], test: [], after: [] } as Record<string, (() => Promise<void>)[]>;
  const testing = {
    before: (run: () => Promise<void>) => steps["before"]!.push(run),
    after: (run: () => Promise<void>) => steps["after"]!.push(run),
    test: (_: string, run: () => Promise<void>) => steps["test"]!.push(run),
  };
  const output = process.env["CDKTF_OUTDIR"];
  process.env["CDKTF_OUTDIR"] = path.join(folder, "cdktf.out");
  try {
    load("main.test.ts", files, { "node:test": testing }, folder);
  } finally {
    if (output === undefined) delete process.env["CDKTF_OUTDIR"];
    else process.env["CDKTF_OUTDIR"] = output;
  }
  for (const run of steps["before"]!) await run();
  try {
    for (const run of steps["test"]!) await run();
  } finally {
    for (const run of steps["after"]!) await run();
  }
  return steps["test"]!.length;
}

/** Runs a command, which must not fail. */
async function steward(place: Place, below: string, args: readonly string[], env = {}): Promise<string> {
  const { code, out, err } = await place.runIn(below, args, { STEWARD_TOKEN: TOKENS.owner, ...env });
  if (code !== 0) throw new Error(`${args.join(" ")}: exit ${code}\n${out}${err}`);
  return out;
}

/**
 * Returns the environment variable with the addresses, as the README and the pipeline describe it. Returns nothing for an app
 * without addresses.
 */
function secretsOf(place: Place, app: string): Readonly<Record<string, string>> {
  const file = readdirSync(path.join(place.folder, app)).find((name) => name.endsWith(".auto.tfvars.json"));
  if (file === undefined) return {};
  for (const document of ["README.md", "pipeline.yml"])
    expect(place.read(`${app}/${document}`)).toContain("TF_VAR_emails");
  return { TF_VAR_emails: JSON.stringify(JSON.parse(place.read(`${app}/${file}`)).emails) };
}

async function adoptAndClone(fixture: FixtureInput, options: readonly string[]): Promise<void> {
  const place = await openPlace(fixture);
  try {
    await steward(place, "", ["init", "app", "--from", "g", "--include-subgroups", ...options]);
    const clone = path.join(place.folder, "clone");
    commitAndClone(path.join(place.folder, "app"), clone);
    linkPackages(clone);
    expect(await runOwnTest(clone)).toBe(1);
    const secrets = secretsOf(place, "app");
    place.service.requests.reset();
    const planned = await steward(place, "clone", ["plan"], secrets);
    expect(planned).toMatch(/Plan: \d+ to import, 0 to add, 0 to change, 0 to destroy\.|No changes/);
    await steward(place, "clone", ["apply", "--auto-approve"], secrets);
    expect(await steward(place, "clone", ["plan"], secrets)).toContain("No changes");
    expect(await steward(place, "clone", ["drift"], secrets)).toContain("No drift");
    expect(place.service.requests.all.filter(({ method }) => method !== "GET")).toEqual([]);
  } finally {
    await place.close();
  }
}

it("the first plan of an app from the snapshot of a random group contains no change except imports", async () => {
  const options = fc.constantFrom([], ["--include-emails"], ["--all-settings"]);
  await fc.assert(
    fc.asyncProperty(randomWorlds, options, (fixture, given) => adoptAndClone(fixture, given)),
    { numRuns: runs(10, 300), seed },
  );
});
