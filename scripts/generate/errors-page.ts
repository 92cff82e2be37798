import { CODES, type CodeEntry } from "../../src/diagnostics";
import { ADOPT_CODES, CONSTRUCT_CODES, NO_LONGER_RAISED, PLUGIN_CODES } from "../../src/diagnostics/codes";
import { API_CODES } from "../../src/diagnostics/codes/api";
import { CLI_CODES } from "../../src/diagnostics/codes/cli";
import { BLOCK_CODES, CONFIGURATION_CODES } from "../../src/diagnostics/codes/configuration";
import { ENGINE_CODES } from "../../src/diagnostics/codes/engine";
import { PROVIDER_CODES } from "../../src/diagnostics/codes/provider";
import { SAVED_PLAN_CODES } from "../../src/diagnostics/codes/saved-plan";
import type { Generator } from "./generated-files";
import { code, GENERATED, page, table } from "./markdown";

type Codes = Readonly<Record<string, CodeEntry>>;

const SECTIONS: readonly { readonly title: string; readonly about: string; readonly codes: Codes }[] = [
  {
    title: "Talking to the service",
    about: "Raised by the client, in the provider or in a program of your own.",
    codes: API_CODES,
  },
  {
    title: "Resources and data sources",
    about: "Raised by the provider, in every engine.",
    codes: PROVIDER_CODES,
  },
  {
    title: "Configuration, plan and apply",
    about: "Raised by the embedded engine while it loads, plans and applies a configuration.",
    codes: CONFIGURATION_CODES,
  },
  {
    title: "Blocks around the resources",
    about: "Raised by the embedded engine for the other blocks of a configuration.",
    codes: BLOCK_CODES,
  },
  {
    title: "State",
    about: "Raised by the embedded engine while it reads, saves and locks the state.",
    codes: ENGINE_CODES,
  },
  {
    title: "Saved plans",
    about: "Raised when a plan is saved, and when a saved plan is shown or applied.",
    codes: SAVED_PLAN_CODES,
  },
  {
    title: "Under Terraform and OpenTofu",
    about: "Raised by the plugin, and shown by Terraform or OpenTofu.",
    codes: PLUGIN_CODES,
  },
  {
    title: "Constructs",
    about: "Thrown by a construct while the app runs, as the `code` of an `Error`.",
    codes: CONSTRUCT_CODES,
  },
  { title: "Adoption", about: "Raised by `steward adopt`.", codes: ADOPT_CODES },
  { title: "Command line", about: "Raised by the commands of `steward`.", codes: CLI_CODES },
  {
    title: "No longer raised",
    about: "Codes of the previous release. Scripts no longer need to check for them.",
    codes: NO_LONGER_RAISED,
  },
];

/** `docs/errors.md`: every error code with its meaning and remedy, a table a floor. */
export const errorsPage = (): Generator => ({
  place: "docs/errors.md",
  generate: async () => new Map([["docs/errors.md", text()]]),
});

function text(): string {
  const listed = new Set(SECTIONS.flatMap(({ codes }) => Object.keys(codes)));
  const left = Object.keys(CODES).filter((name) => !listed.has(name));
  if (left.length > 0) {
    throw new Error(`scripts/generate/errors-page.ts has no section for the codes ${left.join(", ")}.`);
  }
  return page(
    "# Errors",
    GENERATED,
    "Every error and warning carries one of these codes. The message itself says which object, " +
      "attribute and value it is about.",
    ...SECTIONS.flatMap(({ title, about, codes }) => [
      `## ${title}`,
      about,
      table(
        ["Code", "What happened", "What to do"],
        Object.entries(codes).map(([name, [meaning, remedy]]) => [code(name), meaning, remedy]),
      ),
    ]),
  );
}
