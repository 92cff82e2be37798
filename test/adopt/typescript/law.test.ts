import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FixtureInput } from "cdktf-provider-steward/testing";
import fc from "fast-check";
import {
  type AdoptedFile,
  insertIntoApp,
  type LiveSettings,
  type TypeScriptAppOptions,
  writeTypeScriptApp,
} from "../../../src/adopt";
import { apply, plan } from "../../../src/engine";
import { createProvider } from "../../../src/provider";
import { useLocalStates } from "../../../src/testing/app";
import { startWorld } from "../../provider/support/world";
import { runs, seed } from "../../support/capabilities";
import { alike, alikeWith } from "../groups/alike";
import { odd } from "../groups/odd";
import { TOKENS } from "../groups/people";
import { liveSettings } from "../support/adopted";
import { randomWorlds } from "../support/random-world";
import { synthesize } from "../support/synthesize";

// The full number of worlds takes longer than the usual time limit of a test.
jest.setTimeout(runs(60_000, 3_600_000));

type Options = Pick<TypeScriptAppOptions, "allSettings" | "includeEmails" | "stackPer">;

/** Writes an app that declares live settings. The function may synthesize the app into `folder`. */
type Write = (settings: LiveSettings, options: TypeScriptAppOptions, folder: string) => AdoptedFile[];

/** Returns a function that writes an app for some of the objects, and then adds the other objects to this app. */
const inTwoSteps =
  (isFirst: (index: number) => boolean): Write =>
  (settings, options, folder) => {
    let count = 0;
    const chosen = new Set(
      settings.containers.flatMap(({ objects }) => objects).filter(() => isFirst(count++)),
    );
    const part = (isChosen: boolean): LiveSettings => ({
      ...settings,
      containers: settings.containers.map((container) => ({
        ...container,
        objects: container.objects.filter((one) => chosen.has(one) === isChosen),
      })),
    });
    const files = new Map(writeTypeScriptApp(part(true), options).map((file) => [file.path, file.text]));
    const list = () => [...files].map(([name, text]) => ({ path: name, text }));
    synthesize(list(), folder);
    const emails = files.get(EMAILS);
    const into = {
      ...options,
      file: "main.ts",
      knownEmails: emails === undefined ? {} : JSON.parse(emails).emails,
      constructIds: constructIds(path.join(folder, "stacks", options.name, "cdk.tf.json")),
    };
    const inserted = insertIntoApp(files.get("main.ts")!, part(false), into);
    if (inserted === undefined) return list();
    files.set("main.ts", inserted.text);
    if (inserted.emails !== undefined) files.set(EMAILS, JSON.stringify({ emails: inserted.emails }));
    return list();
  };

const EMAILS = "emails.auto.tfvars.json";

/** Returns the ids of the constructs whose parent is the synthesized stack. */
function constructIds(file: string): string[] {
  const { resource = {} } = JSON.parse(readFileSync(file, "utf8"));
  type Block = Record<string, { readonly "//": { readonly metadata: { readonly path: string } } }>;
  return Object.values<Block>(resource).flatMap((block) =>
    Object.values(block).map((one) => one["//"].metadata.path.split("/")[1]!),
  );
}

/** Adopts a group. Then makes a plan, an apply and a second plan, and expects that no step writes to the service. */
async function adoptAndApply(
  fixture: FixtureInput,
  group: string,
  given: Options,
  write: Write = writeTypeScriptApp,
): Promise<void> {
  const options = { name: group, dependencies: {}, ...given };
  const world = await startWorld(fixture);
  const folder = mkdtempSync(path.join(tmpdir(), "steward-adopt-"));
  try {
    const settings = await liveSettings(world, group);
    const [scratch, output] = ["scratch", "cdktf.out"].map((name) => path.join(folder, name));
    const files = write(settings, options, scratch!);
    expect(write(await liveSettings(world, group), options, scratch!)).toEqual(files);
    for (const file of files) writeFileSync(path.join(folder, file.path), file.text);
    synthesize(files, output!);
    useLocalStates(output!, folder);
    const emails = files.find((file) => file.path === EMAILS);
    const run = {
      providers: [createProvider()],
      folder,
      env: { STEWARD_BASE_URL: world.service.url, STEWARD_TOKEN: TOKENS.owner },
      ...(emails && { variableFiles: [emails.path] }),
    };
    const objects = settings.containers.flatMap((container) => container.objects);
    const declared = objects.filter(({ isDefault }) => options.allSettings || !isDefault);
    const planned = await plan({ manifest: output! }, run).result;
    expect(planned.diagnostics).toEqual([]);
    const changes = planned.stacks.flatMap((stack) => stack.plan!.changes);
    const kinds = changes.map(({ action, importing }) => `${action} ${typeof importing}`);
    expect([...new Set(kinds)]).toEqual(declared.length === 0 ? [] : ["no-op object"]);
    // If most projects of a group differ from the default value of a setting, the projects with the default value declare
    // it.
    expect(changes.length).toBeGreaterThanOrEqual(declared.length);
    expect(changes.length).toBeLessThanOrEqual(objects.length);
    const applied = await apply({ manifest: output! }, run).result;
    expect([applied.succeeded, applied.diagnostics]).toEqual([true, []]);
    const again = await plan({ manifest: output! }, run).result;
    expect(again.diagnostics).toEqual([]);
    expect(again.stacks.filter((stack) => stack.plan!.hasChanges)).toEqual([]);
    expect(world.service.requests.all.filter(({ method }) => method !== "GET")).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
    await world.close();
  }
}

it.each([
  ["odd", odd],
  ["alike", alike],
])(
  "after adopt of the group %s, an apply makes only imports, and the next plan is empty",
  async (group, fixture) => {
    await adoptAndApply(fixture, group, { allSettings: false, includeEmails: false });
  },
);

it("after adopt, an apply makes only imports, even with random settings and special characters in names", async () => {
  await fc.assert(
    fc.asyncProperty(
      randomWorlds,
      fc.record({ allSettings: fc.boolean(), includeEmails: fc.boolean() }),
      (fixture, options) => adoptAndApply(fixture, "g", options),
    ),
    { numRuns: runs(2, 300), seed },
  );
});

it.each(["subgroup", "project"] as const)(
  "if adopt writes a stack for each %s, an apply makes only imports, even for names with special characters",
  async (stackPer) => {
    const flags = fc.record({ allSettings: fc.boolean(), includeEmails: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(randomWorlds, flags, (fixture, options) =>
        adoptAndApply(fixture, "g", { ...options, stackPer }),
      ),
      { numRuns: runs(1, 200), seed },
    );
  },
);

it("after adopt of projects that differ randomly from a baseline, an apply makes only imports", async () => {
  const changes = fc.array(fc.array(fc.nat(6), { maxLength: 4 }), { minLength: 5, maxLength: 9 });
  await fc.assert(
    fc.asyncProperty(changes, (all) =>
      adoptAndApply(alikeWith(all), "alike", { allSettings: false, includeEmails: false }),
    ),
    { numRuns: runs(1, 100), seed },
  );
});

it("if adopt writes some of the objects and adopt --into adds the others, an apply makes only imports", async () => {
  await fc.assert(
    fc.asyncProperty(
      randomWorlds,
      fc.record({ allSettings: fc.boolean(), includeEmails: fc.boolean() }),
      fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
      (fixture, options, picks) =>
        adoptAndApply(
          fixture,
          "g",
          options,
          inTwoSteps((index) => picks[index % 40]!),
        ),
    ),
    { numRuns: runs(1, 200), seed },
  );
});
