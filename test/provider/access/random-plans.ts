import fc from "fast-check";
import type { ValueObject } from "../../../src/schema";
import type { Change } from "./support";

// Generates plans of one to four changes, of new and of live objects.

export const GROUPS = { acme: 100, "acme/web": 101, lib: 110, open: 120 } as const;
export const PROJECTS = { "acme/shop": 1, "acme/web/site": 2, "lib/core": 3, "open/docs": 4 } as const;

const project = fc.constantFrom(...(Object.keys(PROJECTS) as (keyof typeof PROJECTS)[]));
const group = fc.constantFrom(...(Object.keys(GROUPS) as (keyof typeof GROUPS)[]));
const level = fc.constantFrom(10, 30, 40, 50);
const others = fc.tuple(project, project).filter(([one, other]) => one !== other);

const declare = (type: string, given: ValueObject): Change => ({ type, given });
const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 3,
    arbitrary: project.map((at) => declare("job_token_scope", { project: at, inbound_enabled: false })),
  },
  {
    weight: 3,
    arbitrary: others.map(([at, to]) =>
      declare("job_token_allowlist_project", { project: at, target_project: to }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(project, group)
      .map(([at, to]) => declare("job_token_allowlist_group", { project: at, target_group: to })),
  },
  {
    weight: 2,
    arbitrary: others.map(([at, to]) =>
      declare("job_token_allowlist", { project: at, target_projects: [to] }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(project, group).map(([at, to]) =>
      declare("protected_environment", {
        project: at,
        name: "staging",
        deploy_access_levels: [{ group: to }],
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: project.map((at) =>
      declare("container_protection_rule", {
        project: at,
        repository_path_pattern: "x",
        minimum_access_level_for_push: "owner",
      }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(project, level)
      .map(([at, access_level]) =>
        declare("project_invitation", { project: at, email: "new@example.com", access_level }),
      ),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(group, level)
      .map(([at, access_level]) =>
        declare("group_invitation", { group: at, email: "new@example.com", access_level }),
      ),
  },
  {
    weight: 1,
    arbitrary: project.map((at) => declare("pages_settings", { project: at, force_https: false })),
  },
  // Changes and destroys of live objects.
  {
    weight: 3,
    arbitrary: project.map((at) => ({
      type: "protected_environment",
      id: `${PROJECTS[at]}:production`,
      given: { project: at, name: "production", deploy_access_levels: [{ access_level: 30 }] },
    })),
  },
  {
    weight: 2,
    arbitrary: project.map((at) => ({
      type: "protected_environment",
      id: `${PROJECTS[at]}:production`,
      given: null,
    })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(project, fc.boolean()).map(([at, isDestroyed]) => ({
      type: "project_invitation",
      id: `${PROJECTS[at]}:boss@example.com`,
      given: isDestroyed ? null : { project: at, email: "boss@example.com", access_level: 10 },
    })),
  },
  {
    weight: 1,
    arbitrary: project.map((at) => ({ type: "job_token_scope", id: String(PROJECTS[at]), given: null })),
  },
);

/**
 * Returns a text for the object of a change. A plan must not change one object twice. An allowlist counts as one object
 * with all its entries.
 */
export const objectOf = ({ type, given, id }: Change): string => {
  const [container, key] = id?.split(":") ?? [];
  const path = given?.["project"] ?? given?.["group"];
  const number = container ?? { ...GROUPS, ...PROJECTS }[path as keyof typeof PROJECTS];
  const name = key ?? given?.["name"] ?? given?.["email"] ?? given?.["user"] ?? "";
  return `${type.replace(/_(project|group)$/, "")} ${number} ${name}`;
};

/** Generates a plan: changes of different objects. */
export const plan = fc.uniqueArray(change, { minLength: 1, maxLength: 4, selector: objectOf });
