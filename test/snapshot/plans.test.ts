import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { runInProcess } from "../cli/support/in-process";
import { runs } from "../support/capabilities";
import { snapshotOf, withService } from "./support/snapshots";
import { selectedByName, world } from "./support/worlds";

jest.setTimeout(600_000);

interface Configuration {
  readonly resource?: Record<string, Record<string, Record<string, unknown>>>;
  import?: { readonly to: string }[];
}

/** Generates a change that a person makes to an adopted app. */
const edit = fc.record({ kind: fc.constantFrom("forget", "flip", "shorten", "remove"), at: fc.nat() });
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

/** Applies an edit to one of the resources, so that the plan creates, changes or refuses something. */
function apply(configuration: Configuration, { kind, at }: Edit): void {
  const resources = Object.entries(configuration.resource ?? {}).flatMap(([type, all]) =>
    Object.keys(all).map((name) => ({ type, name, values: all[name]! })),
  );
  if (resources.length === 0) return;
  const { type, name, values } = resources[at % resources.length]!;
  switch (kind) {
    case "forget":
      configuration.import = configuration.import!.filter(({ to }) => to !== `${type}.${name}`);
      return;
    case "flip":
      for (const [key, value] of Object.entries(values)) if (typeof value === "boolean") values[key] = !value;
      return;
    case "shorten":
      for (const value of Object.values(values)) if (Array.isArray(value) && value.length > 1) value.pop();
      return;
    case "remove":
      delete configuration.resource![type]![name];
      if (Object.keys(configuration.resource![type]!).length === 0) delete configuration.resource![type];
      configuration.import = configuration.import!.filter(({ to }) => to !== `${type}.${name}`);
  }
}

/** Returns the plan as JSON, or the errors, without times and the service's address. */
async function planned(folder: string, service: { url: string; adminToken: string }): Promise<unknown> {
  const env = { STEWARD_BASE_URL: service.url, STEWARD_TOKEN: service.adminToken };
  const { code, out, err } = await runInProcess(["plan", "--config", ".", "--out", "saved.plan"], {
    folder,
    env,
  });
  if (code !== 0) return { code, err: err.replaceAll(service.url, "") };
  expect(out).toContain("saved.plan");
  const shown = await runInProcess(["show", "--json", "saved.plan"], { folder, env });
  const { timestamp: _, ...plan } = JSON.parse(shown.out.replaceAll(service.url, ""));
  return plan;
}

test("an edited configuration has the same plan on a service and on a copy that starts from the service's snapshot", async () => {
  let changes = 0;
  await fc.assert(
    fc.asyncProperty(
      world,
      selectedByName,
      fc.constantFrom("strict", "observed" as const),
      fc.array(edit, { maxLength: 4 }),
      async (fixture, { names, contents }, compat, edits) => {
        const folder = mkdtempSync(path.join(tmpdir(), "steward-snapshot-"));
        try {
          const [text, plan] = await withService(
            fixture,
            async (service) => {
              const env = { STEWARD_BASE_URL: service.url, STEWARD_TOKEN: service.adminToken };
              const nested = contents === "nested" ? ["--include-subgroups"] : [];
              const args = [
                "adopt",
                ...names,
                ...nested,
                "--out",
                "app",
                "--format",
                "json",
                "--include-emails",
              ];
              const { code, err } = await runInProcess(args, { folder, env });
              expect({ code, err }).toEqual({ code: 0, err: "" });
              const configuration = JSON.parse(readFileSync(path.join(folder, "app/main.tf.json"), "utf8"));
              for (const one of edits) apply(configuration, one);
              writeFileSync(path.join(folder, "main.tf.json"), JSON.stringify(configuration));
              const snapshot = await snapshotOf(service, names, {
                contents: contents === "none" ? "direct" : contents,
              });
              return [snapshot.text, await planned(folder, service)] as const;
            },
            { compat },
          );
          const copied = await withService(text, (copy) => planned(folder, copy), { compat });
          expect(copied).toEqual(plan);
          changes += ((plan as { resource_changes?: unknown[] }).resource_changes ?? []).length;
        } finally {
          rmSync(folder, { recursive: true });
        }
      },
    ),
    { numRuns: runs(3, 150) },
  );
  expect(changes).toBeGreaterThan(0);
});
