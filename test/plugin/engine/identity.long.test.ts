import { createProvider } from "../../../src/provider";
import { parseState } from "../../../src/state/format/file-format";
import { formatState } from "../../../src/state/format/format-state";
import { containerOf } from "../../provider/samples";
import { ownPath } from "../../provider/support/own-places";
import { describeFeature } from "../../support/compatibility";
import { useCompany } from "../support/company";
import { CHANGEABLE, companyOfSamples, importedHcl, sampleHcl, TYPES } from "../support/declarations";
import type { Workspace } from "../support/workspace";

jest.setTimeout(240_000);

type Identity = Readonly<Record<string, string | number | null>>;

const { resources } = createProvider().schema;
const block = (type: string, name: string, hcl: string) => `resource "${type}" "${name}" {\n  ${hcl}\n}\n`;
const all = (name: string, isChanged = false) =>
  TYPES.map((type) => block(type, name, sampleHcl(type, isChanged && CHANGEABLE.includes(type)))).join("");

/** Returns the id of the object with this identity. */
const idOf = (type: string, identity: Identity) =>
  Object.keys(resources[type]!.identity!.attributes)
    .flatMap((name) => identity[name] ?? [])
    .join(":");

interface ShownResource {
  readonly type: string;
  readonly values: { readonly id: string };
  readonly identity?: Identity;
  readonly identity_schema_version?: number;
}

async function shown(workspace: Workspace): Promise<readonly ShownResource[]> {
  const { stdout } = await workspace.succeed("show", "-json");
  return (JSON.parse(stdout) as { values: { root_module: { resources: ShownResource[] } } }).values
    .root_module.resources;
}

async function identities(workspace: Workspace): Promise<Readonly<Record<string, Identity | undefined>>> {
  return Object.fromEntries((await shown(workspace)).map(({ type, identity }) => [type, identity]));
}

describeFeature("identity", ["terraform-1.16", "opentofu-1.12"], (program) => {
  const company = useCompany(program, companyOfSamples());
  let workspace: Workspace;
  beforeEach(async () => {
    workspace = await company().reattached();
    workspace.write("main.tf", all("this"));
    await workspace.apply();
  });
  afterEach(() => workspace.succeed("destroy", "-auto-approve"));

  test("in the state, the identity of each object agrees with the object's id", async () => {
    const objects = await shown(workspace);
    expect(objects.map(({ type }) => type).sort()).toEqual([...TYPES].sort());
    for (const { type, identity, identity_schema_version, values } of objects) {
      expect([type, idOf(type, identity!), identity_schema_version]).toEqual([type, values.id, 0]);
    }
  });

  test("if the embedded engine reads and writes a state with identities, the content stays the same", () => {
    const text = workspace.read("terraform.tfstate");
    const written = formatState(parseState(text, "terraform.tfstate"));
    expect(JSON.parse(written)).toEqual(JSON.parse(text));
    // OpenTofu writes the keys in another order, so only Terraform's text is compared.
    if (program.includes("terraform")) expect(written).toBe(text);
  });

  test("an object's identity stays the same if the object changes or moves, or if the project is renamed", async () => {
    const before = await identities(workspace);
    workspace.write("main.tf", all("this", true));
    await workspace.apply();
    expect(await identities(workspace)).toEqual(before);

    const moves = TYPES.map((type) => `moved {\n  from = ${type}.this\n  to   = ${type}.other\n}\n`);
    workspace.write("main.tf", all("other", true) + moves.join(""));
    await workspace.apply();
    expect(await identities(workspace)).toEqual(before);

    const type = "steward_job_token_scope";
    const path = ownPath(type);
    const rename = (from: string, to: string) =>
      company().http("PUT", `/projects/${encodeURIComponent(from)}`, { path: to });
    await rename(path, "renamed");
    expect((await workspace.plan()).changes).toBe(false);
    await workspace.apply("-refresh-only");
    expect(await identities(workspace)).toEqual(before);
    await rename(path.replace(/[^/]+$/, "renamed"), path.split("/").at(-1)!);
  });

  test("if a state has no identities, the plan is empty, and a refresh adds the identities", async () => {
    const before = await identities(workspace);
    const state = JSON.parse(workspace.read("terraform.tfstate")) as {
      resources: { instances: Record<string, unknown>[] }[];
    };
    for (const { instances } of state.resources) {
      for (const instance of instances) {
        delete instance["identity"];
        delete instance["identity_schema_version"];
      }
    }
    workspace.write("terraform.tfstate", JSON.stringify(state));
    expect((await workspace.plan()).changes).toBe(false);
    await workspace.apply("-refresh-only");
    expect(await identities(workspace)).toEqual(before);
  });
});

describeFeature("import-by-identity", ["terraform-1.16", "opentofu-1.12"], (program) => {
  const company = useCompany(program, companyOfSamples());

  const importBlock = (type: string, identity: Identity) => {
    const given = Object.entries(identity).filter(([, value]) => value !== null);
    const values = given.map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
    return `import {\n  to       = ${type}.this\n  identity = { ${values.join(", ")} }\n}\n`;
  };

  test("every object can be imported by its identity, with its project or group as an id or a path", async () => {
    const source = await company().reattached();
    source.write("main.tf", TYPES.map((type) => block(type, "this", importedHcl(type))).join(""));
    await source.apply();
    const known = await identities(source);
    const named = Object.fromEntries(
      Object.entries(known).map(([type, identity]) => [
        type,
        { ...identity, [containerOf(type)]: ownPath(type) },
      ]),
    );
    for (const targets of [known, named]) {
      const workspace = await company().reattached();
      const configuration = TYPES.map((type) => block(type, "this", importedHcl(type))).join("");
      const imports = TYPES.map((type) => importBlock(type, targets[type]!));
      workspace.write("main.tf", configuration + imports.join(""));
      expect((await workspace.plan()).stdout).toContain(
        `Plan: ${TYPES.length} to import, 0 to add, 0 to change, 0 to destroy.`,
      );
      await workspace.apply();
      expect(await identities(workspace)).toEqual(known);
      expect((await workspace.plan()).stdout).toContain("No changes");
    }
  });
});
