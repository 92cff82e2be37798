import { type Code, type Entry, expression, type KeyCode, list, type ObjectCode, object, text } from "./code";
import type { ContainerDeclarations, PartDeclaration, SingleDeclaration } from "./declarations";
import { groupEqual, namespaceOf, type ProjectDeclarations, type ProjectGroup, settingsOf } from "./groups";
import { idText, type Names, pascalCase } from "./names";
import { hasOwnPath } from "./share";

/** A construct of the app. */
export interface ConstructStatement {
  readonly construct: string;
  readonly id: string;
  readonly config: ObjectCode;
}

/** A loop over projects with equal settings. */
export interface LoopStatement {
  /** The name of the constant with the projects' paths. */
  readonly projects: string;
  readonly paths: Code;
  /** The name of the constant or function with the settings. */
  readonly settings: string;
  readonly value: ObjectCode;
}

/** Constructs of one namespace. */
export interface Section {
  readonly namespace: string;
  readonly statements: readonly ConstructStatement[];
}

/** What an app declares, before its repeated values are named. */
export interface AppStatements {
  readonly loops: readonly LoopStatement[];
  readonly sections: readonly Section[];
  /** Import ids by construct path below the stack, in the order of the declarations. */
  readonly imports: readonly (readonly [path: string, id: string])[];
}

/** Arranges declarations as constructs and loops. `ids` and `names` are those that the app has already. */
export function statementsOf(
  declarations: readonly ContainerDeclarations[],
  ids: Names,
  names: Names,
): AppStatements {
  const places = declarations.map((each) => placeOf(each, ids));
  const groups = groupEqual(places.filter(({ declarations: { container } }) => container.kind === "project"));
  const groupOf = new Map(groups.flatMap((group) => group.projects.map((project) => [project, group])));
  const sections = new Map<string, ConstructStatement[]>();
  const imports: [string, string][] = [];
  for (const place of places) {
    const { container } = place.declarations;
    const built = constructsOf(place, groupOf.get(place), ids);
    imports.push(...built.imports);
    const namespace = container.kind === "project" ? namespaceOf(container.path) : container.path;
    const section = sections.get(namespace) ?? [];
    section.push(...built.statements);
    if (section.length > 0) sections.set(namespace, section);
  }
  return {
    loops: groups.map((group) => loopOf(group, names)),
    sections: [...sections].map(([namespace, statements]) => ({ namespace, statements })),
    imports,
  };
}

/** How loops compute the id of a project's construct; `paths.ts` of an app has the same rule in its source. */
const plainId = (path: string): string => path.replaceAll("/", "-");

function placeOf(declarations: ContainerDeclarations, ids: Names): ProjectDeclarations {
  const { kind, path } = declarations.container;
  const plain = plainId(path);
  // Names of Terraform's resources begin with a letter, and ids of cdktf hold no space.
  const isPlain = kind === "project" && /^[A-Za-z_][\w.-]*$/.test(plain) && !ids.isTaken(plain);
  const safe = idText(plain);
  const id = isPlain ? plain : /^[A-Za-z_]/.test(safe) ? safe : idText(kind, safe);
  return { path, id: ids.take([id], "-"), hasPlainId: isPlain, declarations };
}

interface Built {
  readonly statements: readonly ConstructStatement[];
  readonly imports: readonly [string, string][];
}

/** The constructs of one container that no loop makes, and the imports of all its objects. */
function constructsOf(place: ProjectDeclarations, group: ProjectGroup | undefined, ids: Names): Built {
  const { path, id, declarations } = place;
  const { container, parts, singles } = declarations;
  const statements: ConstructStatement[] = [];
  const imports: [string, string][] = [];
  const inSettings = (part: PartDeclaration) =>
    void imports.push([`${id}/${part.child}`, part.single.importId]);
  const alone = ({ construct, suffix, config, importId }: SingleDeclaration): void => {
    const own = ids.take([idText(id, ...suffix)], "-");
    const entries: readonly Entry[] = [[container.kind, text(path, "path")], ...config.entries];
    statements.push({ construct, id: own, config: withPath(object(entries), path) as ObjectCode });
    imports.push([own, importId]);
  };
  if (group !== undefined) {
    parts.filter(group.covers).forEach(inSettings);
    for (const part of parts) if (!group.covers(part)) alone(part.single);
  } else if (parts.length > 1) {
    const entries: readonly Entry[] = [["project", text(path, "path")], ...settingsOf(parts).entries];
    statements.push({
      construct: "ProjectSettings",
      id,
      config: withPath(object(entries), path) as ObjectCode,
    });
    parts.forEach(inSettings);
  } else for (const part of parts) alone(part.single);
  singles.forEach(alone);
  return { statements, imports };
}

/** The same code with the path written out. */
function withPath(code: Code, path: string): Code {
  switch (code.kind) {
    case "own-path":
      return text(`${path}${code.rest}`, "pattern");
    case "list":
      return { ...code, items: code.items.map((item) => withPath(item, path)) };
    case "object":
      return object(
        code.entries.map(
          ([key, value]): Entry => [
            typeof key === "string" ? key : (withPath(key, path) as KeyCode),
            withPath(value, path),
          ],
        ),
      );
    default:
      return code;
  }
}

function loopOf({ name, projects, settings }: ProjectGroup, names: Names): LoopStatement {
  const own = hasOwnPath(settings);
  return {
    projects: names.take([`${name}_PROJECTS`]),
    paths: list(projects.map(({ path }) => text(path, "path"))),
    settings: names.take([own ? `settingsOf${pascalCase(name.toLowerCase())}` : `${name}_SETTINGS`]),
    value: own ? object([["project", expression("project")], ...settings.entries]) : settings,
  };
}
