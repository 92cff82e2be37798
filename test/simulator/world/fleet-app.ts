import type { DeclaredFleet, FleetNeighbour, FleetPart, FleetStack, Topic } from "../story/fleet-round";
import { stateFileOf } from "./app";
import { ORIGIN, PROJECTS, type ProjectName, pathOf } from "./company";

const TYPES = {
  review: "steward_protected_environment",
  entry: "steward_job_token_allowlist_project",
  list: "steward_job_token_allowlist",
  invitation: "steward_project_invitation",
  scope: "steward_job_token_scope",
  production: "steward_protected_environment",
  staging: "steward_protected_environment",
} as const;

/** The types of the resources that a fleet declares, by the first word of an object's identity. */
export const TYPE_OF_PART: Readonly<Record<string, string>> = {
  scope: TYPES.scope,
  environment: TYPES.production,
  invitation: TYPES.invitation,
};

const isTopic = (at: ProjectName | Topic): at is Topic => at === "service" || at === "tool";

/** The project to which entries and lists refer. This project is not a member of any fleet. */
const TARGET = pathOf("runner");

const DEPLOYERS = [{ access_level: 40 }];

/** The e-mail addresses that fleets and other declarations invite. */
const EMAILS = { fleet: "fleet@example.com", single: "guest@example.com" };

/**
 * Returns the identities of the objects that a stack declares, such as `environment web production`. `topicsOf` returns
 * the current topics of a project.
 */
export function identitiesOf(
  { fleets, others }: FleetStack,
  topicsOf: (name: ProjectName) => readonly Topic[],
  members: readonly ProjectName[],
): readonly string[] {
  const withTopic = (topic: Topic) => members.filter((name) => topicsOf(name).includes(topic));
  return [
    ...fleets.flatMap(({ topic, paths, parts }) =>
      (paths ?? withTopic(topic)).flatMap((name) => parts.map((part) => identityOfPart(part, name))),
    ),
    ...others.flatMap((one) =>
      (isTopic(one.at) ? withTopic(one.at) : [one.at]).map((name) => identityOfOther(one, name, others)),
    ),
  ];
}

const IDENTITIES = {
  review: (name: ProjectName) => `environment ${name} review`,
  entry: (name: ProjectName, target: ProjectName) => `entry ${name} ${target}`,
  list: (name: ProjectName) => `list ${name} `,
  invitation: (name: ProjectName) => `invitation ${name} ${EMAILS.single}`,
};

const identityOfOther = (
  one: FleetNeighbour,
  name: ProjectName,
  others: readonly FleetNeighbour[],
): string => {
  const target = targetOf(one, others)?.at;
  return IDENTITIES[one.kind](name, target === undefined || isTopic(target) ? "runner" : target);
};

/** Returns the declaration whose project an entry names by a reference. */
function targetOf(
  { kind, at, refersTo }: FleetNeighbour,
  others: readonly FleetNeighbour[],
): FleetNeighbour | undefined {
  const found = kind === "entry" ? others.find(({ name }) => name === refersTo) : undefined;
  return found === undefined || isTopic(found.at) || found.at === at || isTopic(at) ? undefined : found;
}

function identityOfPart(part: FleetPart, name: ProjectName): string {
  if (part === "invitation") return `invitation ${name} ${EMAILS.fleet}`;
  return part === "scope" ? `scope ${name} ` : `environment ${name} ${part}`;
}

/** Returns the configuration of a stack, with the metadata that the construct `Fleet` writes. */
function configurationOf(name: string, { fleets, others }: FleetStack): object {
  const resource: Record<string, Record<string, object>> = {};
  const data: Record<string, object> = {};
  const locals: Record<string, unknown> = {};
  const noted: Record<string, object> = {};
  const add = (type: string, key: string, block: object): void => {
    resource[type] = { ...resource[type], [key]: block };
  };
  const list = (topic: Topic, of = `of_${topic}`): string => {
    data[of] = { group: "acme", archived: false, topic };
    return `data.steward_projects.${of}.projects`;
  };
  for (const fleet of fleets) addFleet(name, fleet, { add, locals, noted, list });
  for (const one of others) addNeighbour(one, others, { add, list });
  return {
    "//": { metadata: { fleets: noted } },
    terraform: {
      required_providers: { steward: { source: "registry.steward.example/steward/steward" } },
      backend: { local: { path: stateFileOf(name) } },
    },
    provider: { steward: [{ base_url: ORIGIN }] },
    ...(Object.keys(locals).length > 0 && { locals }),
    ...(Object.keys(data).length > 0 && { data: { steward_projects: data } }),
    ...(Object.keys(resource).length > 0 && { resource }),
  };
}

interface Builder {
  add(type: string, key: string, block: object): void;
  /**
   * Adds a data source that lists the projects with a topic.
   * @param of the name of the data source. Each fleet has its own data source, which disappears with the fleet.
   */
  list(topic: Topic, of?: string): string;
}

function addFleet(
  stack: string,
  { id, topic, paths, onLeave, parts }: DeclaredFleet,
  {
    add,
    list,
    locals,
    noted,
  }: Builder & Record<"locals", Record<string, unknown>> & Record<"noted", Record<string, object>>,
): void {
  const members = `${id}_projects`;
  locals[members] =
    paths === undefined
      ? `\${{ for p in ${list(topic, `${id}_list`)} : tostring(p.id) => p.full_path }}`
      : Object.fromEntries(paths.map((name) => [pathOf(name), pathOf(name)]));
  const selection = { kind: "project", within: { kind: "group", name: "acme" }, nested: false };
  noted[members] = {
    ...{ path: `${stack}/${id}`, onLeave, members, layers: [] },
    ...(paths === undefined && { selection: { ...selection, labels: [topic], except: [] } }),
  };
  const block = (part: string, forEach: string, body: object) => ({
    "//": { fleet: members, fleet_part: part },
    for_each: forEach,
    ...body,
    ...(onLeave === "keep" && { lifecycle: { prevent_destroy: true } }),
  });
  const environments = parts.filter((part) => part === "production" || part === "staging");
  // Declares all kinds of settings, as the construct does. Kinds that the fleet does not use have no instances.
  add(
    TYPES.scope,
    `${id}_job-token-scope_13CCC1EB`,
    block(
      "job-token-scope",
      `\${{ for key, path in local.${members} : key => path if ${parts.includes("scope")} }}`,
      {
        project: "${each.key}",
        inbound_enabled: true,
      },
    ),
  );
  const names = JSON.stringify(environments);
  add(
    TYPES.production,
    `${id}_environments_2A3FAF07`,
    block(
      "environments",
      `\${merge({}, [for key, path in local.${members} : { for name in ${names} : "\${key}:\${name}" => { project = key, name = name } }]...)}`,
      { project: "${each.value.project}", name: "${each.value.name}", deploy_access_levels: DEPLOYERS },
    ),
  );
  const emails = JSON.stringify(parts.includes("invitation") ? [EMAILS.fleet] : []);
  add(
    TYPES.invitation,
    `${id}_invitations_5D2C1B0A`,
    block(
      "invitations",
      `\${merge({}, [for key, path in local.${members} : { for email in ${emails} : "\${key}:\${email}" => { project = key, email = email } }]...)}`,
      { project: "${each.value.project}", email: "${each.value.email}", access_level: 30 },
    ),
  );
}

const bodyOf = (one: FleetNeighbour, others: readonly FleetNeighbour[]): object => {
  const target = targetOf(one, others);
  const bodies = {
    review: { name: "review", deploy_access_levels: DEPLOYERS },
    entry: {
      target_project: target === undefined ? TARGET : `\${${TYPES[target.kind]}.${target.name}.project}`,
    },
    list: { target_projects: [TARGET] },
    invitation: { email: EMAILS.single, access_level: 40 },
  };
  return bodies[one.kind];
};

function addNeighbour(one: FleetNeighbour, others: readonly FleetNeighbour[], { add, list }: Builder): void {
  const { kind, name, at, after } = one;
  const needed = others.find((other) => other.name === after);
  add(TYPES[kind], name, {
    ...(isTopic(at)
      ? { for_each: `\${{ for p in ${list(at)} : p.full_path => p }}`, project: "${each.value.id}" }
      : { project: pathOf(at) }),
    ...bodyOf(one, others),
    ...(needed !== undefined && { depends_on: [`${TYPES[needed.kind]}.${needed.name}`] }),
  });
}

/** Returns the files of the synthesized app, each with its path. */
export function fleetFilesOf(
  names: readonly string[],
  stacks: readonly FleetStack[],
): [path: string, text: string][] {
  const manifest = Object.fromEntries(
    names.map((name) => [
      name,
      { name, constructPath: name, workingDirectory: `stacks/${name}`, dependencies: [], annotations: [] },
    ]),
  );
  return [
    ["/app/cdktf.out/manifest.json", JSON.stringify({ version: "0.21.0", stacks: manifest })],
    ...names.map((name, at): [string, string] => [
      `/app/cdktf.out/stacks/${name}/cdk.tf.json`,
      JSON.stringify(configurationOf(name, stacks[at] ?? { fleets: [], others: [] })),
    ]),
  ];
}

export const projectId = (name: ProjectName): number => PROJECTS[name];
