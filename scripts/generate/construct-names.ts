import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  App,
  ComplexObject,
  TerraformDataSource,
  type TerraformElement,
  TerraformProvider,
  TerraformResource,
  TerraformStack,
} from "cdktf";
import type { Scope } from "./construct-scopes";

/**
 * Refuses attributes whose names would hide a member that cdktf or another attribute already has. The generator of
 * cdktf accepts these names, but the constructs do not compile, or fail in use.
 */
export function refuseTakenNames(scopes: readonly Scope[]): void {
  const taken = takenNames();
  const refused = scopes.flatMap(({ subject, className, members }) => {
    const names = new Set(members.map(({ name }) => name));
    return [...names].flatMap((name) =>
      generatedNames(name)
        .filter((member) => taken[subject].has(member) || (member !== name && names.has(member)))
        .map((member) => `  ${className}.${member}`),
    );
  });
  if (refused.length > 0) {
    throw new Error(
      `These members of constructs exist already. Rename the attributes:\n${refused.join("\n")}`,
    );
  }
}

/** Returns the names of the members that the generator may make for an attribute. */
function generatedNames(name: string): string[] {
  const titled = name.charAt(0).toUpperCase() + name.slice(1);
  return [name, `${name}Input`, `reset${titled}`, `put${titled}`];
}

/**
 * Returns the members that a construct already has: members of the base classes, and members of every generated class.
 */
function takenNames(): Readonly<Record<Scope["subject"], ReadonlySet<string>>> {
  // `new App` creates this folder, so it is removed again.
  const outdir = mkdtempSync(path.join(tmpdir(), "steward-names-"));
  const stack = new TerraformStack(new App({ outdir }), "names");
  rmSync(outdir, { recursive: true });
  const config = { terraformResourceType: "names" };
  const resource = new TerraformResource(stack, "resource", config);
  class Provider extends TerraformProvider {}
  return {
    provider: namesOf(new Provider(stack, "provider", config)),
    resource: namesOf(resource),
    "data source": namesOf(new TerraformDataSource(stack, "data", config)),
    element: new Set([
      ...namesOf(new ComplexObject(resource, "element", false, 0)),
      "internalValue",
      "isEmptyObject",
      "resolvableValue",
    ]),
  };
}

function namesOf(instance: TerraformElement | ComplexObject): Set<string> {
  const names = new Set<string>();
  for (let one: object | null = instance; one !== null; one = Object.getPrototypeOf(one)) {
    for (const name of Object.getOwnPropertyNames(one)) names.add(name);
  }
  return names;
}
