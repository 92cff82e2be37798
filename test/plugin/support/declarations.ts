import { readFileSync } from "node:fs";
import path from "node:path";
import type { FixtureInput } from "cdktf-provider-steward/testing";
import { parse } from "yaml";
import { createProvider } from "../../../src/provider";
import { MEMBER_ROLE } from "../../../src/provider/samples/company";
import type { ValueObject } from "../../../src/schema";
import { changedInPlace, DATA_SAMPLES, isUpdated, placed, SAMPLES } from "../../provider/samples";
import {
  FILLED_PLATFORM,
  FILLED_USER,
  FILLED_WEB,
  ownPath,
  ownPlaces,
} from "../../provider/support/own-places";

// This file writes the samples in HCL, for tests with a real engine. Each resource has one object, in a separate project or
// group.

const { schema } = createProvider();
const quickstart = parse(
  readFileSync(path.join(__dirname, "../../../examples/quickstart/fixture.yaml"), "utf8"),
) as { readonly [Part in "users" | "groups" | "projects"]: NonNullable<FixtureInput[Part]> };

/**
 * Returns the quickstart's company with all objects to which the samples refer. The company's owner is also an
 * administrator.
 */
export function companyOfSamples(): FixtureInput {
  const { groups, projects } = ownPlaces();
  return {
    users: [
      ...quickstart.users.map((user) => (user.username === "oskar" ? { ...user, admin: true } : user)),
      { username: "stranger" },
      FILLED_USER,
    ],
    groups: [
      ...quickstart.groups.map((group) => ({
        ...group,
        ...(group.path === "acme" && {
          member_roles: [
            { id: MEMBER_ROLE.reviewer, name: "Reviewer", base_role: "developer" as const },
            { id: MEMBER_ROLE.releaser, name: "Releaser", base_role: "developer" as const },
          ],
        }),
        ...(group.path === "acme/platform" && FILLED_PLATFORM),
      })),
      { path: "acme/approvers", members: [{ user: "devon", role: "developer" }] },
      ...groups,
    ],
    projects: [
      ...quickstart.projects,
      { path: "acme/web", ...FILLED_WEB },
      { path: "acme/tools" },
      { path: "acme/runner" },
      ...projects,
    ],
  };
}

export const TYPES = Object.keys(SAMPLES);
/** The types of resources that can be updated in place. */
export const CHANGEABLE = TYPES.filter((type) => isUpdated(SAMPLES[type]!));

/** Returns the sample of a type in its separate project or group; optionally with all changes that keep the object. */
export const sampleHcl = (type: string, isChanged = false): string =>
  hclOf(placed(type, ownPath(type), isChanged ? changedInPlace(type) : SAMPLES[type]!.config));

/**
 * Returns the declarations without some attributes: an import cannot read attributes that the service never returns.
 */
export function importedHcl(type: string): string {
  const { attributes } = schema.resources[type]!;
  const config = Object.entries(placed(type, ownPath(type)));
  return hclOf(Object.fromEntries(config.filter(([name]) => attributes[name]!.presence !== "configOnly")));
}

/**
 * Returns the import id of an object. The import id has the path of the object's project or group instead of the
 * number.
 */
export const importId = (type: string, id: string): string => id.replace(/^\d+/, ownPath(type));

/** Returns the arguments of a resource in HCL. The values are JSON, because JSON values are valid in HCL. */
const hclOf = (config: ValueObject): string =>
  Object.entries(config)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
    .join("\n  ");

const block = (kind: string, type: string, hcl: string): string =>
  `${kind} "${type}" "this" {\n  ${hcl}\n}\n`;

/** Returns declarations of one object of every resource, with the name `this`. */
export const allResources = (hcl: (type: string) => string = sampleHcl): string =>
  TYPES.map((type) => block("resource", type, hcl(type))).join("\n");

/** Returns declarations of every data source, with the name `this`. */
export const allDataSources = (): string =>
  Object.entries(DATA_SAMPLES)
    .map(([type, { config }]) => block("data", type, hclOf(config)))
    .join("\n");

/** Returns an import block for one object of every resource. `ids` has the ids of the objects, by type. */
export const importBlocks = (ids: Readonly<Record<string, string>>): string =>
  TYPES.map((type) => `import {\n  to = ${type}.this\n  id = "${importId(type, ids[type]!)}"\n}\n`).join(
    "\n",
  );
