import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FixtureInput } from "cdktf-provider-steward/testing";
import fc from "fast-check";
import { writeConfiguration } from "../../../src/adopt";
import { apply, drift, plan } from "../../../src/engine";
import { createProvider } from "../../../src/provider";
import { startWorld } from "../../provider/support/world";
import { runs, seed } from "../../support/capabilities";
import { TOKENS } from "../groups/people";
import { findingsOf, liveSettings } from "../support/adopted";
import { randomWorlds } from "../support/random-world";

// The full number of worlds takes longer than the usual time limit of a test.
jest.setTimeout(runs(60_000, 3_600_000));

interface Options {
  readonly allSettings: boolean;
  readonly includeEmails: boolean;
}

/**
 * Adopts a group as JSON. Then makes a plan, an apply and a second plan, and expects that no step writes to the service.
 */
async function adoptAndApply(fixture: FixtureInput, options: Options): Promise<void> {
  const world = await startWorld(fixture);
  const folder = mkdtempSync(path.join(tmpdir(), "steward-adopt-"));
  try {
    const settings = await liveSettings(world, "g");
    const files = writeConfiguration(settings, { format: "json", ...options });
    for (const file of files) writeFileSync(path.join(folder, file.path), file.text);
    const source = { configuration: folder };
    const run = {
      providers: [createProvider()],
      folder,
      env: { STEWARD_BASE_URL: world.service.url, STEWARD_TOKEN: TOKENS.reader },
    };
    const declared = settings.containers
      .flatMap(({ objects }) => objects)
      .filter(({ isDefault }) => options.allSettings || !isDefault);
    const planned = await plan(source, run).result;
    expect(planned.diagnostics).toEqual([]);
    const changes = planned.stacks[0]!.plan!.changes;
    expect(changes.map(({ action, importing }) => [action, typeof importing])).toEqual(
      declared.map(() => ["no-op", "object"]),
    );
    const applied = await apply(source, run).result;
    expect([applied.succeeded, applied.diagnostics]).toEqual([true, []]);
    const again = await plan(source, run).result;
    expect([again.diagnostics, again.stacks[0]!.plan!.hasChanges]).toEqual([[], false]);
    expect(findingsOf(await drift(source, { ...run, coverage: true }).result)).toEqual([]);
    expect(world.service.requests.all.filter(({ method }) => method !== "GET")).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
    await world.close();
  }
}

it("if adopt wrote the configuration as JSON, apply only imports objects, for random settings and special characters in names", async () => {
  const options = fc.record({ allSettings: fc.boolean(), includeEmails: fc.boolean() });
  await fc.assert(fc.asyncProperty(randomWorlds, options, adoptAndApply), {
    numRuns: runs(4, 300),
    seed: seed + 1,
  });
});
