import { GROUPS, type GroupName, ORIGIN, PROJECTS, type ProjectName, STATES_PROJECT } from "./company";
import { attributesOf, identityOf, type Spelling, type Thing, TYPES } from "./objects";

/** A declaration: an object, with its address and options. */
export interface Declaration extends Thing {
  /** The name of the resource: the last part of the address. */
  readonly name: string;
  readonly spelling: Spelling;
  /** True if the declaration uses the second configuration of the provider. */
  readonly second?: boolean;
  readonly preventDestroy?: boolean;
  /** True if an `import` block contains this address. */
  readonly isImported?: boolean;
  /** The ID for the import, if the service assigned one. */
  readonly importId?: string;
}

/** The declarations of a stack, with its `moved` and `removed` blocks. */
export interface DeclaredStack {
  readonly name: string;
  readonly declarations: readonly Declaration[];
  readonly moved: readonly (readonly [from: string, to: string])[];
  /** The declarations with a `count` of 0. */
  readonly empty?: readonly Declaration[];
  /** The addresses in `removed` blocks. The state forgets the objects at these addresses. */
  readonly released?: readonly string[];
}

/** The code of an app at one moment of the story. */
export interface App {
  /**
   * True if each stack has a second configuration of the provider. The second configuration leads to the same service.
   */
  readonly hasSecond: boolean;
  readonly stacks: readonly DeclaredStack[];
}

/** The place where states are kept. */
export type Keeping = "file" | "service";

export const addressOf = ({ kind, name }: Pick<Declaration, "kind" | "name">): string =>
  `${TYPES[kind]}.${name}`;

export const declarationsOf = ({ stacks }: Pick<App, "stacks">): Declaration[] =>
  stacks.flatMap(({ declarations }) => declarations);

/**
 * Returns the identities of objects with several declarations. A whole list and single entries of it contradict each
 * other, so all of these identities are included.
 */
export function contestedIn(app: App): ReadonlySet<string> {
  const seen = new Set<string>();
  const contested = new Set<string>();
  const declared = declarationsOf(app);
  const lists = new Set(declared.filter(({ kind }) => kind === "list").map(({ at }) => at));
  for (const declaration of declared) {
    const identity = identityOf(declaration);
    const { kind, at } = declaration;
    const isInList = (kind === "entry" || kind === "group_entry") && lists.has(at);
    if (seen.has(identity) || isInList) contested.add(identity);
    if (isInList) contested.add(`list ${at} `);
    seen.add(identity);
  }
  return contested;
}

/** Returns the ID that an import of the declared object needs. */
export function importIdOf({ importId, ...thing }: Declaration): string {
  if (importId !== undefined) return importId;
  const attributes = attributesOf(thing, "path");
  const place = String(attributes["project"] ?? attributes["group"]);
  const key = thing.kind === "rule" ? attributes["repository_path_pattern"] : thing.key;
  if (thing.kind === "entry") return `${place}:${PROJECTS[thing.key as ProjectName]}`;
  if (thing.kind === "group_entry") return `${place}:${GROUPS[thing.key as GroupName]}`;
  return thing.key === "" ? place : `${place}:${key}`;
}

export const stateFileOf = (stack: string): string => `/app/${stack}.tfstate`;

const ALIASED = "steward.second";

/** Returns the configuration of a stack in Terraform's JSON syntax, in the form that CDKTF writes. */
function configurationOf(
  stack: DeclaredStack,
  { hasSecond }: App,
  keeping: Keeping,
): Record<string, unknown> {
  const resource: Record<string, Record<string, object>> = {};
  const add = (declaration: Declaration, block: object): void => {
    const type = TYPES[declaration.kind];
    resource[type] = { ...resource[type], [declaration.name]: block };
  };
  for (const declaration of stack.empty ?? []) add(declaration, { ...blockOf(declaration), count: 0 });
  for (const declaration of stack.declarations) add(declaration, blockOf(declaration));
  const imported = stack.declarations.filter(({ isImported }) => isImported);
  return {
    terraform: {
      required_providers: { steward: { source: "registry.steward.example/steward/steward" } },
      backend: backendOf(stack.name, keeping),
    },
    provider: {
      steward: [
        { base_url: ORIGIN },
        ...(hasSecond ? [{ alias: "second", base_url: `${ORIGIN}/api/v4/` }] : []),
      ],
    },
    ...(Object.keys(resource).length > 0 && { resource }),
    ...(stack.released !== undefined && {
      removed: stack.released.map((from) => ({ from, lifecycle: { destroy: false } })),
    }),
    ...(imported.length > 0 && {
      import: imported.map((one) => ({ to: addressOf(one), id: importIdOf(one) })),
    }),
    ...(stack.moved.length > 0 && { moved: stack.moved.map(([from, to]) => ({ from, to })) }),
  };
}

function blockOf(declaration: Declaration): object {
  const { second, preventDestroy } = declaration;
  return {
    ...attributesOf(declaration, declaration.spelling),
    ...(second && { provider: ALIASED }),
    ...(preventDestroy && { lifecycle: { prevent_destroy: true } }),
  };
}

function backendOf(stack: string, keeping: Keeping): object {
  if (keeping === "file") return { local: { path: stateFileOf(stack) } };
  const address = `${ORIGIN}/api/v4/projects/${STATES_PROJECT}/terraform/state/${stack}`;
  return {
    http: {
      address,
      lock_address: `${address}/lock`,
      unlock_address: `${address}/lock`,
      lock_method: "POST",
      unlock_method: "DELETE",
      username: "maya",
    },
  };
}

/** Returns the files of a synthesized app, each with its path. */
export function filesOf(app: App, keeping: Keeping): [path: string, text: string][] {
  const stacks = Object.fromEntries(
    app.stacks.map(({ name }) => [
      name,
      { name, constructPath: name, workingDirectory: `stacks/${name}`, dependencies: [], annotations: [] },
    ]),
  );
  return [
    ["/app/cdktf.out/manifest.json", JSON.stringify({ version: "0.21.0", stacks })],
    ...app.stacks.map((stack): [string, string] => [
      `/app/cdktf.out/stacks/${stack.name}/cdk.tf.json`,
      JSON.stringify(configurationOf(stack, app, keeping)),
    ]),
  ];
}
