import { existsSync } from "node:fs";
import path from "node:path";
import {
  type AdoptedContainer,
  canTake,
  ExistingApp,
  foldByCause,
  fromListing,
  insertIntoApp,
  type LiveSettings,
  nameContainers,
  requirePlace,
  type WrittenFile,
} from "../../adopt";
import { type Diagnostic, error, fail, hasErrors, warning } from "../../diagnostics";
import {
  append,
  type ContainerSelection,
  type CoverageScan,
  type LiveListing,
  type Stack,
} from "../../engine";
import type { AdoptArguments } from "../arguments/adopt";
import { eachStack } from "../stack-runs/each-stack";
import { ownProvider } from "../stack-runs/providers";
import type { Terminal } from "../terminal/terminal";
import { writeAdoption } from "../views/adopted";
import { type FleetMembers, noteMembers } from "./fleet-members";

/**
 * Reviews the live settings that an adoption read. Settings that the token may not read cause a warning. The code has a comment
 * instead of declarations of these settings. All other failures are errors. `isWritten` is true if Steward may write the
 * readable settings into the code. It is false if the new code would remove declarations of an earlier adoption.
 */
export function review(
  { containers, archived, failures, diagnostics }: LiveListing,
  { all }: ContainerSelection,
  isAdopted: boolean,
) {
  const refused = failures.filter(({ isRefused }) => isRefused);
  const failed = failures.filter(({ isRefused }) => !isRefused).flatMap((one) => one.diagnostics);
  const problems = [...diagnostics, ...failed, ...notReadable(refused)];
  if (hasErrors(diagnostics)) return { problems, isWritten: false };
  if (containers.length + archived.length === 0)
    return { problems: [...problems, nothingFound(all !== undefined)], isWritten: false };
  if (failed.length > 0 && isAdopted) return { problems: [...problems, INCOMPLETE], isWritten: false };
  return { problems, isWritten: true };
}

/**
 * Returns one warning for all settings of one type with the same cause. The warning lists all projects and groups with settings
 * of this type that the token may not read.
 */
function notReadable(refused: LiveListing["failures"]): Diagnostic[] {
  const met = refused.flatMap(({ type, container, diagnostics }) =>
    // The detail contains the path of the container, so the details of containers with the same cause differ. `cause` does
    // not contain the path.
    diagnostics.map(({ detail, code, cause = detail }) => ({
      type,
      container,
      detail,
      cause: `${code} ${cause}`,
    })),
  );
  const folded = foldByCause(
    met,
    ({ container }) => container,
    ({ type, cause }) => `${type} ${cause}`,
  );
  return folded.map((same) => {
    const [{ type, detail, cause }] = same;
    const where = nameContainers(same.map(({ container }) => container));
    return warning({
      code: "settings_not_readable",
      summary: "Settings are not readable",
      detail: `Steward could not read the objects of the type ${type} in the ${where}, so it did not write declarations for them. ${detail}`,
      cause: `not readable ${type} ${cause}`,
    });
  });
}

const nothingFound = (isAll: boolean): Diagnostic =>
  error({
    code: "nothing_to_adopt",
    summary: "Nothing to adopt",
    detail: isAll
      ? "No project or group of the token's user matches the options. Nothing was written. Check --topic, --search and the token."
      : "The service returned none of the named projects and groups. Nothing was written. Check the names and the token.",
  });

const INCOMPLETE: Diagnostic = error({
  code: "adoption_incomplete",
  summary: "Earlier adoption kept",
  detail:
    "Some settings could not be read (see the other errors), so the new code would lack them. The earlier adoption is unchanged. Fix the errors, then adopt again.",
});

/** The codes of the errors that occur if the token can't read any project or group of the run. */
const ALL_REFUSED: ReadonlySet<string> = new Set(["containers_not_visible", "token_without_role"]);

/**
 * Adds declarations to an app for all live settings that no stack of the app declares. Sends only read requests, and writes no
 * state.
 */
export async function adoptInto(args: AdoptArguments, terminal: Terminal): Promise<number> {
  const app = await ExistingApp.open(path.resolve(terminal.folder, args.target));
  // Checks the file before any request, to report early that the file can't take more declarations.
  requirePlace(app.source, args.target, args.stack);
  let stacks: readonly Stack[] = [];
  const scans: CoverageScan[] = [];
  const members: FleetMembers = new Map();
  const outcome = await eachStack(
    args,
    { ...terminal, folder: app.folder },
    { choose: (all) => (stacks = all) },
    async (stack, view) => {
      await stack.read();
      const report = await stack.drift({ coverage: true, within: [args.selection], forAdoption: true });
      scans.push(...report.scans);
      const { configuration } = stacks.find(({ name }) => name === stack.name)!;
      noteMembers(members, configuration, report.objects, app.folder);
      const isRefused = report.diagnostics.some(({ code }) => ALL_REFUSED.has(code));
      const reviews = (isRefused ? [] : report.scans).map(({ listing }) =>
        review(listing, args.selection, true),
      );
      view.diagnostics([...report.diagnostics, ...reviews.flatMap(({ problems }) => problems)]);
      return hasErrors(report.diagnostics) || reviews.some(({ isWritten }) => !isWritten)
        ? "failed"
        : "nothing";
    },
  );
  if (outcome === "failed") return 1;
  const { schema } = ownProvider(terminal);
  const settings = fromListing(undeclaredInAll(scans, args.target), schema);
  const files = await addTo(app, settings, stacks, members, args);
  writeAdoption({ args, settings, files }, terminal);
  return 0;
}

/**
 * Adds each project's settings to the file that already declares settings of this project. All other settings go into the file
 * that the command line names.
 */
async function addTo(
  app: ExistingApp,
  settings: LiveSettings,
  stacks: readonly Stack[],
  members: FleetMembers,
  { target, allSettings, includeEmails, stack }: AdoptArguments,
): Promise<WrittenFile[]> {
  const declaring = declaringFiles(stacks, app.folder);
  const parts = new Map<ExistingApp, AdoptedContainer[]>([[app, []]]);
  const apps = new Map([[app.file, app]]);
  for (const container of settings.containers) {
    const file = declaring.get(container.path) ?? members.get(container.path)?.file ?? app.file;
    const other = apps.get(file) ?? (await ExistingApp.open(file));
    apps.set(file, other);
    const isEmailsFileNeeded =
      !includeEmails && container.objects.some(({ attributes }) => attributes["email"]);
    const place = other === app || canTake(other.source, file, isEmailsFileNeeded) ? other : app;
    append(parts, place, container);
  }
  let { knownEmails } = app;
  const insertions = [...parts].map(([place, containers]) => {
    const isTarget = place === app;
    const options = {
      file: isTarget ? target : place.file,
      stack: isTarget ? stack : undefined,
      allSettings,
      includeEmails,
      knownEmails,
      constructIds: stacks.flatMap(constructIds),
      fleetOf: (project: string) => {
        const member = members.get(project);
        return member?.file === place.file ? member : undefined;
      },
    };
    const insertion = insertIntoApp(place.source, { ...settings, containers }, options);
    knownEmails = insertion?.emails ?? knownEmails;
    return { place, insertion };
  });
  const written: WrittenFile[] = [];
  for (const { place, insertion } of insertions)
    written.push(...(await place.add(insertion ?? { text: undefined, emails: undefined })));
  return written;
}

/**
 * Returns the files that declare settings of projects. The keys are the paths of the projects. The map contains only projects
 * whose constructs recorded a position in the code.
 */
function declaringFiles(stacks: readonly Stack[], folder: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const { configuration } of stacks)
    for (const { body, position } of configuration.resources.values()) {
      const project = body.get("project")?.constant?.json;
      const file = position === undefined ? undefined : path.resolve(folder, position.replace(/:\d+$/, ""));
      if (typeof project !== "string" || file === undefined || files.has(project)) continue;
      if (file.startsWith(folder + path.sep) && existsSync(file)) files.set(project, file);
    }
  return files;
}

/**
 * Returns the objects that no stack of the app declares. A scan lists the objects that one stack does not declare. No stack
 * declares an object if all scans list the object.
 */
function undeclaredInAll(scans: readonly CoverageScan[], file: string): LiveListing {
  const [first, ...others] = scans;
  if (first === undefined || others.some(({ service }) => service !== first.service)) {
    return fail({
      code: "no_place_to_insert",
      summary: first === undefined ? "No provider in the app" : "Several services in the app",
      detail:
        `The app of ${file} ` +
        (first === undefined
          ? 'configures no provider "steward". Nothing was written. Add new StewardProvider(this, "steward") to its stack.'
          : "configures providers for several services. Nothing was written. Pass the file of an app with one service."),
    });
  }
  const undeclaredKeys = others.map(({ listing }) => new Set(listing.objects.map(keyOf)));
  const objects = first.listing.objects.filter((object) =>
    undeclaredKeys.every((keys) => keys.has(keyOf(object))),
  );
  return { ...first.listing, objects };
}

const keyOf = ({ type, id }: LiveListing["objects"][number]): string => `${type} ${id}`;

/** Returns the ids of the constructs that are directly in a stack. */
const constructIds = ({ configuration }: Stack): string[] =>
  [...configuration.resources.values()].flatMap(({ construct }) => construct?.split("/")[1] ?? []);
