import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FixtureInput } from "cdktf-provider-steward/testing";
import fc from "fast-check";
import { type TypeScriptAppOptions, writeTypeScriptApp } from "../../../src/adopt";
import { apply, plan } from "../../../src/engine";
import { createProvider } from "../../../src/provider";
import { startWorld } from "../../provider/support/world";
import { runs, seed } from "../../support/capabilities";
import { odd } from "../groups/odd";
import { TOKENS } from "../groups/people";
import { platform } from "../groups/platform";
import { webShop } from "../groups/web-shop";
import { liveSettings } from "../support/adopted";
import { randomWorlds } from "../support/random-world";
import { synthesize } from "../support/synthesize";

type Options = Pick<TypeScriptAppOptions, "allSettings" | "includeEmails">;

/** Adopts a group, plans, applies and plans again: nothing is written to the service at any time. */
async function adoptAndApply(fixture: FixtureInput, group: string, options: Options): Promise<void> {
  const world = await startWorld(fixture);
  const folder = mkdtempSync(path.join(tmpdir(), "steward-adopt-"));
  try {
    const settings = await liveSettings(world, group);
    const files = writeTypeScriptApp(settings, { name: group, version: "1.0.0", ...options });
    expect(
      writeTypeScriptApp(await liveSettings(world, group), { name: group, version: "1.0.0", ...options }),
    ).toEqual(files);
    for (const file of files) writeFileSync(path.join(folder, file.path), file.text);
    const output = path.join(folder, "cdktf.out");
    synthesize(files, output);
    const emails = files.find((file) => file.path.endsWith(".auto.tfvars.json"));
    const run = {
      providers: [createProvider()],
      folder,
      env: { STEWARD_BASE_URL: world.service.url, STEWARD_TOKEN: TOKENS.owner },
      state: path.join(folder, "terraform.tfstate"),
      ...(emails && { variableFiles: [emails.path] }),
    };
    const declared = settings.containers
      .flatMap(({ objects }) => objects)
      .filter(({ isDefault }) => options.allSettings || !isDefault);
    const planned = await plan({ manifest: output }, run).result;
    expect(planned.diagnostics).toEqual([]);
    const changes = planned.stacks[0]!.plan!.changes;
    expect(changes.map(({ action, importing }) => [action, typeof importing])).toEqual(
      declared.map(() => ["no-op", "object"]),
    );
    const applied = await apply({ manifest: output }, run).result;
    expect([applied.succeeded, applied.diagnostics]).toEqual([true, []]);
    const again = await plan({ manifest: output }, run).result;
    expect([again.diagnostics, again.stacks[0]!.plan!.hasChanges]).toEqual([[], false]);
    expect(world.service.requests.all.filter(({ method }) => method !== "GET")).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
    await world.close();
  }
}

it.each([
  ["shop", webShop],
  ["platform", platform],
  ["odd", odd],
])(
  "the adopted group %s is imported without a change or a write, and then the plan is empty",
  async (group, fixture) => {
    await adoptAndApply(fixture, group, { allSettings: false, includeEmails: false });
  },
);

it("any mix of settings is adopted, imported and applied without a change or a write, also with hostile names", async () => {
  await fc.assert(
    fc.asyncProperty(
      randomWorlds,
      fc.record({ allSettings: fc.boolean(), includeEmails: fc.boolean() }),
      (fixture, options) => adoptAndApply(fixture, "g", options),
    ),
    { numRuns: runs(8, 300), seed },
  );
});
