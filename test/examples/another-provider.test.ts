import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createFlagProvider } from "../../examples/another-provider/provider";
import { FlagService, type Space } from "../../examples/another-provider/service";
import { type ExecutablePlan, listLive } from "../../src/engine";
import { applyPlan } from "../../src/engine/apply/apply-plan";
import { detectDrift } from "../../src/engine/drift/detect-drift";
import { importObject } from "../../src/engine/import/import-object";
import { createPlan } from "../../src/engine/plan/create-plan";
import type { RunContext } from "../../src/engine/stack-run/context";
import type { Provider } from "../../src/framework";
import { loadConfiguration } from "../../src/language";
import { serveReattach } from "../../src/plugin";
import { LocalBackend } from "../../src/state/backends/local-backend";
import { Workspace } from "../plugin/support/workspace";
import { describeWith } from "../support/capabilities";

// The tests use a second provider under both hosts. Its code uses only the framework.

const SOURCE = createFlagProvider().schema.source;
let service: FlagService;
let address: string;
let space: Space;
let folder: string;
beforeEach(async () => {
  service = new FlagService();
  address = await service.start();
  space = service.addSpace("web-shop");
  folder = mkdtempSync(path.join(tmpdir(), "flags-"));
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

const flagsOf = ({ flags }: Space) =>
  Object.fromEntries([...flags.values()].map((one) => [one.name, one.enabled]));
const writes = () => service.requests.filter((request) => !request.startsWith("GET"));

function fillByHand(): void {
  for (const name of ["one", "two", "three"]) space.flags.set(name, { name, enabled: name !== "two" });
  space.editors = ["ada", "ben"];
}

/** Returns declarations and import blocks for all live flags and editors of the space. */
async function adopted() {
  const { provider } = createFlagProvider().configure({ address, token: "secret" }, {});
  const listed = await provider!.listResource({ type: "flags_flag", within: "web-shop" });
  await provider!.close();
  const flags = listed.objects.map(
    ({
      state: {
        attributes: { id, ...declared },
      },
    }) => [String(declared["name"]), id, declared] as const,
  );
  return {
    resource: {
      flags_flag: Object.fromEntries(flags.map(([name, , declared]) => [name, declared])),
      flags_editors: { all: { space: "web-shop", editors: space.editors } },
    },
    imports: [
      ...flags.map(([name, id]) => ({ to: `flags_flag.${name}`, id })),
      { to: "flags_editors.all", id: "web-shop" },
    ],
  };
}

test("a search for an existing and a missing space returns the existing space's objects and an error", async () => {
  fillByHand();
  const flagProvider = createFlagProvider();
  const { provider } = flagProvider.configure({ address, token: "secret" }, {});
  const selection = { names: ["web-shop", "nothing"], contents: "nested" } as const;
  const { containers, objects, diagnostics } = await listLive(flagProvider, provider!, selection);
  await provider!.close();
  expect(containers).toEqual([{ kind: "space", id: space.id, path: "web-shop", isArchived: false }]);
  expect(objects.map(({ name }) => name)).toEqual([
    "web-shop",
    "web-shop: one",
    "web-shop: three",
    "web-shop: two",
  ]);
  expect(diagnostics).toMatchObject([{ code: "reference_not_found", summary: "No such space" }]);
});

describe("under the embedded engine", () => {
  const declare = (flags: Record<string, object>, editors?: readonly string[], more: object = {}): void =>
    writeFileSync(
      path.join(folder, "cdk.tf.json"),
      JSON.stringify({
        terraform: { required_providers: { flags: { source: SOURCE } } },
        provider: { flags: { address, token: "secret" } },
        resource: {
          ...(Object.keys(flags).length > 0 && { flags_flag: flags }),
          ...(editors && { flags_editors: { all: { space: "web-shop", editors } } }),
        },
        ...more,
      }),
    );
  const context = (): RunContext => ({
    variables: {},
    configuration: loadConfiguration(folder),
    providers: { [SOURCE]: createFlagProvider() },
  });
  const backend = () => new LocalBackend(path.join(folder, "terraform.tfstate"));
  const plan = async (): Promise<ExecutablePlan> => createPlan(context(), await backend().read());
  const apply = async () => {
    const applied = await applyPlan(context(), await plan(), backend());
    expect(applied.diagnostics).toEqual([]);
    return applied;
  };
  const checkout = { space: "web-shop", name: "checkout", enabled: true };

  test("the embedded engine creates, changes and destroys the objects of the example provider", async () => {
    declare({ checkout }, ["ada", "ben"]);
    expect((await plan()).summary).toMatchObject({ add: 2 });
    await apply();
    expect(flagsOf(space)).toEqual({ checkout: true });
    expect(space.editors).toEqual(["ada", "ben"]);
    expect((await plan()).hasChanges).toBe(false);
    declare({ checkout: { ...checkout, enabled: false } }, ["ada"]);
    await apply();
    expect(flagsOf(space)).toEqual({ checkout: false });
    expect(space.editors).toEqual(["ada"]);
    declare({});
    await apply();
    expect(flagsOf(space)).toEqual({});
    expect(space.editors).toEqual([]);
  });

  test("if a resource type does not declare which access it grants, the access report lists its changes under `notCounted`", async () => {
    declare({ checkout });
    const file = path.join(folder, "cdk.tf.json");
    const declared = JSON.parse(readFileSync(file, "utf8"));
    declared.resource.terraform_data = { note: { input: "x" } };
    writeFileSync(file, JSON.stringify(declared));
    const why = "its type does not declare which access it grants";
    const report = { places: [], touched: [], notCounted: [{ what: "flags_flag.checkout", why }] };
    const { access } = await createPlan({ ...context(), access: true }, undefined);
    expect(access).toEqual(report);
    await apply();
    space.flags.set("checkout", { name: "checkout", enabled: false });
    const state = await backend().read();
    const drift = await detectDrift(context(), state, { accessOf: (all) => all });
    expect(drift.access).toEqual(report);
  });

  test("if a provider does not report access, the access report lists this provider's changes under `notCounted`", async () => {
    declare({ checkout });
    const provider = createFlagProvider();
    const silent: Provider = {
      ...provider,
      configure: (config, run) => {
        const { provider: configured, diagnostics } = provider.configure(config, run);
        const { describeAccess: _, ...others } = configured!;
        return { provider: others, diagnostics };
      },
    };
    const run = { ...context(), providers: { [SOURCE]: silent }, access: true };
    const { access } = await createPlan(run, undefined);
    expect(access?.notCounted).toEqual([
      { what: "flags_flag.checkout", why: "its provider does not report access" },
    ]);
  });

  test("drift lists manually changed and manually removed objects", async () => {
    declare({ checkout, search: { ...checkout, name: "search" } }, ["ada"]);
    await apply();
    space.flags.set("checkout", { name: "checkout", enabled: false });
    space.flags.delete("search");
    space.editors = ["ada", "mallory"];
    const report = await detectDrift(context(), await backend().read());
    expect(report.drifted.map(({ change }) => [change.address, change.action])).toEqual([
      ["flags_editors.all", "update"],
      ["flags_flag.checkout", "update"],
      ["flags_flag.search", "delete"],
    ]);
  });

  test("Steward imports a live flag by an id that begins with the name of its space", async () => {
    space.flags.set("checkout", { name: "checkout", enabled: true });
    declare({ checkout });
    const { id, diagnostics } = await importObject(
      context(),
      backend(),
      "flags_flag.checkout",
      "web-shop:checkout",
    );
    expect({ id, diagnostics }).toEqual({ id: "1:checkout", diagnostics: [] });
    expect((await plan()).hasChanges).toBe(false);
  });

  test("if the cursor of a page expires, the data source still returns all flags", async () => {
    const names = ["one", "two", "three", "four", "five"];
    declare(Object.fromEntries(names.map((name) => [name, { ...checkout, name }])), undefined, {
      data: { flags_flags: { all: { space: "web-shop" } } },
      output: { names: { value: "${data.flags_flags.all.flags[*].name}" } },
    });
    for (const name of names) space.flags.set(name, { name, enabled: true });
    service.expiresCursors = 1;
    const { outputs } = await plan();
    expect(outputs.map(({ after }) => after)).toEqual([names]);
  });

  test("importing the manually created objects of a space sends no change to the service", async () => {
    fillByHand();
    const { resource, imports } = await adopted();
    declare(resource.flags_flag, ["ada", "ben"], { import: imports });
    expect((await plan()).summary).toMatchObject({ add: 0, change: 0, remove: 0, import: 4 });
    await apply();
    expect((await plan()).hasChanges).toBe(false);
    expect(writes()).toEqual([]);
  });

  test("if a declared flag's space does not exist, the plan's error has the summary `No such space`", async () => {
    declare({ checkout: { ...checkout, space: "nowhere" } });
    const { diagnostics } = await plan();
    expect(diagnostics.map(({ code, summary }) => [code, summary])).toEqual([
      ["reference_not_found", "No such space"],
    ]);
  });
});

describeWith("engine", "under Terraform", (engine) => {
  test("Terraform plans, creates, imports and destroys objects of the example provider", async () => {
    const reattached = await serveReattach(createFlagProvider());
    const workspace = new Workspace(engine, reattached.env);
    try {
      space.flags.set("search", { name: "search", enabled: false });
      const provider = `provider "flags" {\n  address = "${address}"\n  token   = "secret"\n}\n`;
      const versions = `terraform {\n  required_providers {\n    flags = { source = "${SOURCE}" }\n  }\n}\n`;
      workspace.write("versions.tf", versions);
      workspace.write(
        "main.tf",
        `${provider}
resource "flags_flag" "checkout" {
  space   = "web-shop"
  name    = "checkout"
  enabled = true
}
resource "flags_flag" "search" {
  space = "web-shop"
  name  = "search"
}
import {
  to = flags_flag.search
  id = "web-shop:search"
}
resource "flags_editors" "all" {
  space   = "web-shop"
  editors = ["ada"]
}
data "flags_flags" "all" {
  space = "web-shop"
}
`,
      );
      service.losesAnswers = 1;
      await workspace.apply();
      expect(flagsOf(space)).toEqual({ search: false, checkout: true });
      expect((await workspace.plan()).changes).toBe(false);
      space.flags.set("checkout", { name: "checkout", enabled: false });
      expect(await workspace.actions()).toEqual({ "flags_flag.checkout": ["update"] });
      await workspace.succeed("destroy", "-auto-approve");
      expect(flagsOf(space)).toEqual({});
    } finally {
      workspace.remove();
      await reattached.close();
    }
  });
});
