import type { PROVIDER_SERVICE } from "../../src/plugin/messages/generated/tfplugin6";
import { describeWhere, describeWith, programOf } from "./capabilities";

// This file lists the features of docs/compatibility.md. Tests declare a feature with `describeFeature`, and
// compatibility-page.test.ts derives the table from these declarations.

type Procedure = keyof typeof PROVIDER_SERVICE;

interface FeatureText {
  readonly title: string;
  /** The procedures of the plugin protocol that implement the feature. */
  readonly procedures?: readonly Procedure[];
  /** The first release that has the feature; null if no release has it. If omitted, every release has it. */
  readonly since?: { readonly terraform: string | null; readonly opentofu: string | null };
  /** The replacement for users of the embedded engine. Undefined if the embedded engine has the feature. */
  readonly embedded?: string;
  /** True if the provider does not have the feature. Requests then end with an error that says so. */
  readonly isRefused?: true;
}

const features = <Name extends string>(all: Readonly<Record<Name, FeatureText>>) => all;

export const FEATURES = features({
  "filesystem-mirror": { title: "`init` from a filesystem mirror", embedded: "needs no `init`" },
  "network-mirror": { title: "`init` from a network mirror", embedded: "needs no `init`" },
  "lock-from-mirror": {
    title: "`providers lock` with `-fs-mirror` or `-net-mirror`",
    embedded: "has no lock file",
  },
  "cdktf-on-mirror": {
    title:
      "cdktf 0.21: `diff` and `deploy` with the provider from a mirror, `TF_CLI_ARGS_providers_lock` set",
    embedded: "`steward plan`, `steward apply`",
  },
  provider: {
    title: "Schema and configuration of the provider",
    procedures: [
      "GetMetadata",
      "GetProviderSchema",
      "ValidateProviderConfig",
      "ConfigureProvider",
      "StopProvider",
    ],
  },
  resources: {
    title: "Resources: plan, apply, refresh",
    procedures: [
      "ValidateResourceConfig",
      "PlanResourceChange",
      "ApplyResourceChange",
      "ReadResource",
      "UpgradeResourceState",
    ],
  },
  "plan-destroy": { title: "Destroys are planned, and refused at plan" },
  "data-sources": {
    title: "Data sources",
    procedures: ["ValidateDataResourceConfig", "ReadDataSource"],
  },
  "import-by-id": { title: "Import by id", procedures: ["ImportResourceState"] },
  "move-from-another-provider": {
    title: "`moved` from a resource of another provider",
    procedures: ["MoveResourceState"],
    since: { terraform: "1.8", opentofu: "1.10" },
  },
  functions: {
    title: "Functions",
    procedures: ["GetFunctions", "CallFunction"],
    since: { terraform: "1.8", opentofu: "1.7" },
  },
  "ephemeral-values": {
    title: "Token of the provider from an ephemeral value",
    since: { terraform: "1.10", opentofu: "1.11" },
  },
  identity: {
    title: "Identities in states and plans",
    procedures: ["GetResourceIdentitySchemas", "UpgradeResourceIdentity"],
    since: { terraform: "1.12", opentofu: "1.12" },
  },
  "import-by-identity": {
    title: "Import by identity",
    since: { terraform: "1.12", opentofu: "1.12" },
  },
  "list-resources": {
    title: "List resources: `terraform query`",
    procedures: ["ListResource", "ValidateListResourceConfig"],
    since: { terraform: "1.14", opentofu: null },
    embedded: "`steward adopt`",
  },
  "generated-configuration": {
    title: "Configuration written by the provider for `-generate-config-out`",
    procedures: ["GenerateResourceConfig"],
    since: { terraform: "1.14", opentofu: null },
    embedded: "`steward adopt`",
  },
  "deferred-changes": {
    title: "Deferred changes",
    isRefused: true,
    since: { terraform: null, opentofu: null },
  },
  "ephemeral-resources": {
    title: "Ephemeral resources",
    procedures: [
      "ValidateEphemeralResourceConfig",
      "OpenEphemeralResource",
      "RenewEphemeralResource",
      "CloseEphemeralResource",
    ],
    isRefused: true,
    since: { terraform: "1.10", opentofu: "1.11" },
  },
  actions: {
    title: "Actions",
    procedures: ["ValidateActionConfig", "PlanAction", "InvokeAction"],
    isRefused: true,
    since: { terraform: "1.14", opentofu: null },
  },
  "state-stores": {
    title: "State stores",
    procedures: [
      "ValidateStateStoreConfig",
      "ConfigureStateStore",
      "ReadStateBytes",
      "WriteStateBytes",
      "LockState",
      "UnlockState",
      "GetStates",
      "DeleteState",
    ],
    isRefused: true,
    since: { terraform: "1.15", opentofu: null },
  },
});
export type Feature = keyof typeof FEATURES;

/** The columns of the table. */
export const COLUMNS = {
  "terraform-1.11": { title: "Terraform 1.11", host: "terraform", version: "1.11" },
  "terraform-1.16": { title: "Terraform 1.16", host: "terraform", version: "1.16" },
  "opentofu-1.12": { title: "OpenTofu 1.12", host: "opentofu", version: "1.12" },
  "embedded-engine": { title: "Embedded engine", host: "steward" },
  "grpc-go": { title: "Protocol test with grpc-go", host: "grpc-go" },
} as const;
export type Column = keyof typeof COLUMNS;

/**
 * Declares a `describe` for each of these programs. The tests in it prove that the feature works with the program. The
 * feature and the programs must be literals, because docs/compatibility.md is derived from the source of the tests.
 *
 * @param options `needs` names another requirement of the machine, and `isThere` says whether the machine has it
 * @param body receives the path of the program: an empty text for the embedded engine, and the compiler of Go for
 * grpc-go
 */
export function describeFeature(
  feature: Feature,
  columns: readonly Column[],
  body: (program: string, column: Column) => void,
  { needs, isThere }: { readonly needs: string; readonly isThere: boolean } = { needs: "", isThere: true },
): void {
  for (const column of columns) {
    const name = `${FEATURES[feature].title}: ${COLUMNS[column].title}`;
    const suite = (program: string) => body(program, column);
    const found = COLUMNS[column];
    if (found.host === "steward") describe(name, () => suite(""));
    else if (found.host === "grpc-go") describeWith("go", name, suite);
    else {
      const command = found.host === "opentofu" ? "tofu" : "terraform";
      const { version } = found;
      const need = [`${command} ${version}`, needs].filter((each) => each !== "").join(", ");
      describeWhere(isThere ? programOf(command, version) : undefined, need, name, suite);
    }
  }
}
