import type { FixtureInput } from "cdktf-provider-steward/testing";
import { CROWD } from "../../../src/provider/samples/company";
import type { Http } from "../../../src/provider/samples/sample";
import { containerOf, ENTRIES } from "../samples";

type Container = NonNullable<FixtureInput["projects"]>[number] & NonNullable<FixtureInput["groups"]>[number];

export const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Returns this number of projects for a fixture. Entries of sets can refer to these projects. */
export const crowdOfProjects = (count: number) => numbers(count).map(CROWD.project);

/** Returns this number of public groups for a fixture. Entries of sets can refer to these groups. */
export const crowdOfGroups = (count: number) =>
  numbers(count).map((index) => ({ ...CROWD.group(index), visibility: "public" as const }));

/** Returns the content of a project or group in a fixture, with this number of objects of each kind. */
export function filled(kind: "project" | "group", count: number): Partial<Container> {
  const parts: Record<string, object> = {};
  for (const [type, { fixture }] of ENTRIES) {
    if (containerOf(type) !== kind) continue;
    for (const [name, part] of Object.entries((fixture?.(count) ?? {}) as Readonly<Record<string, object>>)) {
      parts[name] = Array.isArray(part) ? part : { ...parts[name], ...part };
    }
  }
  return parts;
}

/** Creates objects that fixtures cannot contain, one by one. `at` is the path of the container. */
export async function post(kind: "project" | "group", http: Http, at: string, count: number): Promise<void> {
  for (const [type, { fixture, make }] of ENTRIES) {
    if (containerOf(type) !== kind || fixture !== undefined) continue;
    for (const index of numbers(count)) {
      const [path, body] = make(index);
      await http("POST", `${at}/${path}`, body);
    }
  }
}
