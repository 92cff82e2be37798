import path from "node:path";
import { ExistingApp, fromListing, insertIntoApp, requirePlace } from "../../adopt";
import { fail, hasErrors } from "../../diagnostics";
import type { CoverageScan, LiveListing, Stack } from "../../engine";
import type { AdoptArguments } from "../arguments/adopt";
import { withoutStacks } from "../arguments/stack-options";
import { eachStack } from "../run/each-stack";
import { ownProvider } from "../stacks/providers";
import type { Terminal } from "../terminal/terminal";
import { writeAdoption } from "../views/adopted";
import { review } from "./adopt-review";

/** Adds to an app what is live and what none of its stacks declares. Sends only reads, and writes no state. */
export async function adoptInto(args: AdoptArguments, terminal: Terminal): Promise<number> {
  const app = await ExistingApp.open(path.resolve(terminal.folder, args.target));
  // Before any request: a file that can't take more is known at once.
  requirePlace(app.source, args.target);
  let stacks: readonly Stack[] = [];
  const scans: CoverageScan[] = [];
  const outcome = await eachStack(
    withoutStacks(args),
    { ...terminal, folder: app.folder },
    { locksFor: undefined, reversed: false, waits: false, choose: (all) => (stacks = all) },
    async (stack, view) => {
      await stack.read();
      const report = await stack.drift({ coverage: true, within: [args.selection], forAdoption: true });
      await view.stopProgress();
      scans.push(...report.scans);
      const reviews = report.scans.map(({ listing }) => review(listing, args.selection, true));
      view.diagnostics([...report.diagnostics, ...reviews.flatMap(({ problems }) => problems)]);
      return hasErrors(report.diagnostics) || reviews.some(({ isWritten }) => !isWritten)
        ? "failed"
        : "nothing";
    },
  );
  if (outcome === "failed") return 1;
  const { schema } = ownProvider(terminal);
  const settings = fromListing(undeclaredInAll(scans, args.target), schema);
  const insertion = insertIntoApp(app.source, settings, {
    file: args.target,
    allSettings: args.allSettings,
    includeEmails: args.includeEmails,
    knownEmails: app.knownEmails,
    constructIds: stacks.flatMap(constructIds),
  });
  const files = await app.add(insertion ?? { text: undefined, emails: undefined });
  writeAdoption({ args, settings, files }, terminal);
  return 0;
}

/** What no stack of the app declares: each scan lists what its stack does not declare. */
function undeclaredInAll(scans: readonly CoverageScan[], file: string): LiveListing {
  const [first, ...others] = scans;
  if (first === undefined || others.some(({ service }) => service !== first.service)) {
    return fail({
      code: "no_place_to_insert",
      summary: first === undefined ? "No provider in the app" : "Several services in the app",
      detail:
        `The app of ${file} ` +
        (first === undefined
          ? 'configures no provider "steward", so nothing was written. Add new StewardProvider(this, "steward") to its stack.'
          : "configures providers for several services, so nothing was written. Give the file of an app with one."),
    });
  }
  const isUndeclared = others.map(({ listing }) => new Set(listing.objects.map(keyOf)));
  const objects = first.listing.objects.filter((object) =>
    isUndeclared.every((keys) => keys.has(keyOf(object))),
  );
  return { ...first.listing, objects };
}

const keyOf = ({ type, id }: LiveListing["objects"][number]): string => `${type} ${id}`;

/** The ids of the constructs directly in a stack. */
const constructIds = ({ configuration }: Stack): string[] =>
  [...configuration.resources.values()].flatMap(({ construct }) => construct?.split("/")[1] ?? []);
