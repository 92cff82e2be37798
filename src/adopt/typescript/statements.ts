import { groupBy } from "../../schema";
import { type Code, type Entry, expression, keyOf, type ObjectCode, object, text } from "./code";
import { distinctNames, layerNames } from "./constant-names";
import type { ContainerDeclarations, PartDeclaration, SingleDeclaration } from "./declarations";
import { groupAlike, type Member, namespaceOf, type ProjectDeclarations, type ProjectGroup } from "./groups";
import { exceptionsOf, joinLayers, ofAnyProject, settingsOf, withPath } from "./layers";
import { idText, type Names } from "./names";
import { type Constant, shareRepeated } from "./share";
import type { Container } from "./stack-plan";

/** A construct of the app. */
export interface ConstructStatement {
  readonly construct: string;
  readonly id: string;
  readonly config: ObjectCode;
  readonly container: Container;
}

/** The path of an object's construct below the stack, with the import id and the container of the object. */
export type ImportedObject = readonly [path: string, id: string, container: Container];

/** A loop over projects with mostly equal settings. */
export interface LoopStatement {
  /** The projects. The layers of a project are its differences from the baseline, as code or as names of constants. */
  readonly projects: readonly { readonly path: string; readonly layers: readonly Code[] }[];
  /** The name of the constant with the projects; undefined if the loop itself contains the list of projects. */
  readonly projectsName: string | undefined;
  /** The constants for the baseline, and for differences that several projects share. */
  readonly constants: readonly Constant[];
  /** The name of the constant with the baseline; undefined if all projects have equal settings. */
  readonly baseline: string | undefined;
  /** The code of the settings inside the loop. If all projects are equal, the loop contains all settings of a project. */
  readonly settings: ObjectCode;
}

/** The constructs for the projects and groups of one namespace. */
export interface Section {
  readonly namespace: string;
  readonly statements: readonly ConstructStatement[];
}

export interface AppStatements {
  /** Constants for repeated values. Each constant follows the constants that it names. */
  readonly constants: readonly Constant[];
  readonly loops: readonly LoopStatement[];
  readonly sections: readonly Section[];
  /** The import ids, by the path of the construct below the stack, in the order of the declarations. */
  readonly imports: readonly ImportedObject[];
}

/** Arranges declarations as constructs and loops. `ids` and `names` are the ids and names that the app already has. */
export function statementsOf(
  declarations: readonly ContainerDeclarations[],
  ids: Names,
  names: Names,
): AppStatements {
  const places = declarations.map((each) => placeOf(each, ids));
  const groups = groupAlike(places.filter(({ declarations: { container } }) => container.kind === "project"));
  const memberOf = new Map(groups.flatMap(({ members }) => members.map((one) => [one.project, one])));
  const sections = new Map<string, ConstructStatement[]>();
  const imports: ImportedObject[] = [];
  for (const place of places) {
    const { container } = place.declarations;
    const built = constructsOf(place, memberOf.get(place), ids);
    imports.push(...built.imports);
    const namespace = container.kind === "project" ? namespaceOf(container.path) : container.path;
    const section = sections.get(namespace) ?? [];
    section.push(...built.statements);
    if (section.length > 0) sections.set(namespace, section);
  }
  return {
    constants: [],
    loops: groups.map((group) => loopOf(group, names)),
    sections: [...sections].map(([namespace, statements]) => ({ namespace, statements })),
    imports,
  };
}

/** Returns the statements with a constant instead of each value that occurs more than twice. */
export function shareStatements(statements: AppStatements, names: Names): AppStatements {
  const roots: Code[] = [];
  mapCode(statements, (code) => {
    roots.push(code);
    return code;
  });
  const { constants, replace } = shareRepeated(roots, names);
  return { ...mapCode(statements, replace), constants };
}

/**
 * Applies a function to all code of an app. The function gets each layer of a project in a separate call. Values inside a layer
 * can then become constants, but not the layer itself.
 */
const mapCode = (
  { loops, sections, ...rest }: AppStatements,
  change: <C extends Code>(code: C) => C,
): AppStatements => ({
  ...rest,
  loops: loops.map(({ constants, settings, projects, ...loop }) => ({
    ...loop,
    constants: constants.map((one) => ({ ...one, value: change(one.value) })),
    settings: change(settings),
    projects: projects.map(({ path, layers }) => ({ path, layers: layers.map(change) })),
  })),
  sections: sections.map(({ namespace, statements }) => ({
    namespace,
    statements: statements.map((one) => ({ ...one, config: change(one.config) })),
  })),
});

/** Returns the construct id of a project in a loop. The function `idOf` in the code of an app has the same rule. */
const plainId = (path: string): string => path.replaceAll("/", "-");

function placeOf(declarations: ContainerDeclarations, ids: Names): ProjectDeclarations {
  const { kind, path } = declarations.container;
  const plain = plainId(path);
  // A Terraform resource name begins with a letter, and a cdktf id contains no space.
  const isPlain = kind === "project" && /^[A-Za-z_][\w.-]*$/.test(plain) && !ids.isTaken(plain);
  const safe = idText(plain);
  const named = /^[A-Za-z_]/.test(safe) ? safe : idText(kind, safe);
  const id = isPlain ? plain : named;
  return { path, id: ids.take([id], "-"), hasPlainId: isPlain, declarations };
}

interface Built {
  readonly statements: readonly ConstructStatement[];
  readonly imports: readonly ImportedObject[];
}

/** Returns the constructs of one container outside loops, and the imports of all objects of the container. */
function constructsOf(place: ProjectDeclarations, member: Member | undefined, ids: Names): Built {
  const { path, id, declarations } = place;
  const { container, parts, singles } = declarations;
  const statements: ConstructStatement[] = [];
  const imports: ImportedObject[] = [];
  const inSettings = (part: PartDeclaration) =>
    void imports.push([`${id}/${part.child}`, part.single.importId, container]);
  const alone = ({ construct, suffix, config, importId }: SingleDeclaration): void => {
    const own = ids.take([idText(id, ...suffix)], "-");
    const entries: readonly Entry[] = [[container.kind, text(path)], ...config.entries];
    statements.push({ construct, id: own, config: withPath(object(entries), path), container });
    imports.push([own, importId, container]);
  };
  if (member !== undefined) {
    member.parts.forEach(inSettings);
    for (const part of parts) if (!member.parts.includes(part)) alone(part.single);
  } else if (parts.length > 1) {
    const entries: readonly Entry[] = [["project", text(path)], ...settingsOf(parts).entries];
    statements.push({
      construct: "ProjectSettings",
      id,
      config: withPath(object(entries), path),
      container,
    });
    parts.forEach(inSettings);
  } else for (const part of parts) alone(part.single);
  singles.forEach(alone);
  return { statements, imports };
}

/** The maximum number of paths that are written in the loop itself. For more paths, the app has a constant. */
const FEW = 3;

function loopOf({ name, members, baseline }: ProjectGroup, names: Names): LoopStatement {
  const constant = (what: string): string => names.take([name === "" ? what : `${name}_${what}`]);
  const exceptions = members.map((member) => ({
    path: member.project.path,
    layers: exceptionsOf(member, baseline),
  }));
  const hasLayers = exceptions.some(({ layers }) => layers.length > 0);
  const { projects, variants } = nameVariants(exceptions, baseline, names);
  const projectsName = hasLayers || members.length > FEW ? constant("PROJECTS") : undefined;
  if (!hasLayers) return { projects, projectsName, constants: [], baseline: undefined, settings: baseline };
  const common: Constant = { name: constant("BASELINE"), value: ofAnyProject(baseline), type: BASELINE };
  return {
    projects,
    projectsName,
    constants: [...variants, common],
    baseline: common.name,
    settings: object([]),
  };
}

export const BASELINE = "FleetBaseline";
const LAYER = "FleetLayerSettings";
/** The type of a table of differences. The keys of the table are the paths of projects. */
export const TABLE = `Record<string, readonly ${LAYER}[]>`;

/**
 * The minimum number of projects at which a difference becomes a constant. For a difference in environments, which takes many
 * lines, `SEVERAL` projects are enough.
 */
const MANY = 3;
const SEVERAL = 2;

interface Exceptions {
  readonly path: string;
  /** The differences from the baseline as layers. Each layer has one setting. */
  readonly layers: readonly ObjectCode[];
}

/**
 * Makes a constant of each difference that several projects share. In the settings of these projects, the name of the constant
 * replaces the difference. All other differences of a project become one layer.
 */
function nameVariants(exceptions: readonly Exceptions[], baseline: ObjectCode, names: Names) {
  const alike = groupBy(
    exceptions.flatMap(({ layers }) => layers),
    keyOf,
  );
  const found = [...alike.values()]
    .map((values) => ({ value: values[0]!, count: values.length }))
    .filter(
      ({ value, count }) => count >= (value.entries[0]![0] === "protectedEnvironments" ? SEVERAL : MANY),
    )
    .map(({ value }) => ({ value, candidates: layerNames(value.entries[0]!, baseline) }))
    .filter(({ candidates }) => candidates.length > 0);
  const distinct = distinctNames(found.map(({ candidates }) => candidates));
  const variants = found.map(({ value }, at) => ({ name: names.take(distinct[at]!), value, type: LAYER }));
  const named = new Map(variants.map(({ name, value }) => [keyOf(value), name]));
  const projects = exceptions.map(({ path, layers }) => {
    const own = layers.filter((each) => !named.has(keyOf(each)));
    const shared = layers.flatMap((each) => named.get(keyOf(each)) ?? []).map(expression);
    return { path, layers: [...(own.length > 0 ? [joinLayers(own)] : []), ...shared] };
  });
  return { projects, variants };
}
